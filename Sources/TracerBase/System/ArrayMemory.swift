extension Array {
    /// The addresses of the elements; `nil` if the array is empty.
    ///
    /// Valid as long as the array, or a copy of it, exists and is not changed.
    package var memory: Range<UInt>? {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
            return UInt(bitPattern: start)..<UInt(bitPattern: start) + UInt(bytes.count)
        }
    }
}
