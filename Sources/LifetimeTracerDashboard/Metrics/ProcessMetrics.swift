import LifetimeTracer

/// The metrics of the process, under the names that Prometheus's client libraries use
/// (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics).
///
/// A number that the system does not provide is left out.
struct ProcessMetrics: Sendable {
    let facts: ProcessFacts
    let usage: ProcessUsage

    func write(to writer: inout MetricsWriter) {
        writer.metric(
            "process_cpu_seconds", .counter, "Total user and system CPU time spent in seconds.", usage.cpuSeconds)
        writer.metric("process_open_fds", .gauge, "Number of open file descriptors.", usage.openFiles)
        writer.metric("process_max_fds", .gauge, "Maximum number of open file descriptors.", usage.maximumFiles)
        writer.metric("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.", usage.virtualBytes)
        writer.metric(
            "process_virtual_memory_max_bytes", .gauge, "Maximum amount of virtual memory available in bytes.",
            usage.maximumVirtualBytes)
        writer.metric("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", usage.residentBytes)
        writer.metric("process_threads", .gauge, "Number of OS threads in the process.", usage.threads)
        writer.metric(
            "process_start_time_seconds", .gauge, "Start time of the process since unix epoch in seconds.",
            Double(facts.startedAt.nanosecondsSince1970 / 10_000_000) / 100)
    }
}
