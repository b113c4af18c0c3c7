/// The text of the last written day, which the next point in time mostly shares.
@usableFromInline
package struct DayText {
    private var day: CalendarDay?
    // The ten bytes of the date.
    private var start: UInt64 = 0
    private var end: UInt16 = 0

    /// Creates a text of no day.
    @usableFromInline
    package init() {}

    /// Writes the date of a day with a year from 0 to 9999: ten bytes.
    mutating func write(_ day: CalendarDay, to place: UnsafeMutablePointer<UInt8>) {
        let bytes = UnsafeMutableRawPointer(place)
        if day == self.day {
            bytes.storeBytes(of: start, as: UInt64.self)
            bytes.storeBytes(of: end, toByteOffset: 8, as: UInt16.self)
        } else {
            _ = day.write(to: place)
            self.day = day
            start = bytes.loadUnaligned(as: UInt64.self)
            end = bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
        }
    }
}
