/// The version of this library.
public enum TracerVersion {
    /// As in the changelog.
    public static let current = "0.1.0"
}
