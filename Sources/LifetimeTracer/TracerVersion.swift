/// The version of this library.
public enum TracerVersion {
    /// The current version, as in the changelog.
    public static let current = "0.1.0"
}
