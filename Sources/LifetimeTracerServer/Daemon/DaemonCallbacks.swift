import CTracerMicroHTTPD
import LifetimeTracer
import LifetimeTracerDashboard
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

// Callbacks of libmicrohttpd. They are free functions so that they belong to no actor: a closure written on the main
// actor would inherit it, and trap on libmicrohttpd's thread.
//
// Their pointers are libmicrohttpd's and valid during the call. No callback keeps one, except the connection of a
// stream: see `SuspendableConnection`.

/// Called when a connection was opened, or is about to be closed while its socket is still open.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ event: MHD_ConnectionNotificationCode
) {
    guard let context = ServerContext.from(context), let connection else { return }
    context.holdThreadAfterLoss()
    let descriptor = lt_mhd_descriptor(connection)
    if event == .CONNECTION_NOTIFY_STARTED {
        context.connectionBegins(descriptor)
    } else {
        context.connectionEnds(descriptor)
    }
}

/// Called when the first line of a request has arrived; the target is still as sent.
///
/// - Returns: The `slot` of the other callbacks; `nil` if the program has too little memory left to answer.
func targetArrived(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = ServerContext.from(context), let connection else { return nil }
    let now = MonotonicInstant.now
    guard context.memory.hasRoom(at: now) else {
        if let target { hideQuery(of: target) }
        return nil
    }
    let exchange = context.exchangeBegins(target: target.map { String(cString: $0) } ?? "", connection, at: now)
    if let target { hideQuery(of: target) }
    // Balanced in `requestCompleted`, which libmicrohttpd calls for each request for which it has called this function.
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Keeps libmicrohttpd from parsing the query, because the handler gets the target as sent.
///
/// Each parameter would take 56 bytes of the connection's memory, and version 0.9.75 loses track of a connection that
/// runs out of memory during parsing. Writing is safe: the text is in the connection's buffer, and libmicrohttpd itself
/// writes there next, when it ends the path at the question mark. The byte after that is part of the text, if only its
/// terminating zero.
private func hideQuery(of target: UnsafePointer<CChar>) {
    guard let questionMark = strchr(target, 0x3F) else { return }
    questionMark[1] = 0
}

/// Called when the head has arrived, for each part of the body, and at the end of the request.
func requestProgressed(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = ServerContext.from(context), let connection, let method, let size, let slot
    else { return .NO }
    guard let pointer = slot.pointee else { return context.refuseForLackOfMemory(connection) }
    // Retained in `targetArrived`, until `requestCompleted`.
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if !exchange.headIsChecked {
        return context.headArrived(exchange, connection)
    }
    if size.pointee > 0 {
        let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
        size.pointee = 0
        return context.bodyArrived(exchange, bytes)
    }
    return context.requestArrived(exchange, connection, method: String(cString: method))
}

/// Called when the response has been sent, or never will be.
func requestCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let context = ServerContext.from(context), let connection, let slot, let pointer = slot.pointee else {
        return
    }
    slot.pointee = nil
    // Balances `passRetained` in `targetArrived`.
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    context.exchangeEnds(exchange, connection, code)
}

/// Called with a log message of libmicrohttpd.
func libraryLogs(_ context: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?) {
    guard let context = ServerContext.from(context), let format, let arguments else { return }
    context.holdThreadAfterLoss()
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer -> String in
        guard let start = buffer.baseAddress else { return "" }
        vsnprintf(start, buffer.count, format, arguments)
        return String(cString: start)
    }
    context.libraryMessage(text.last == "\n" ? String(text.dropLast()) : text)
}

extension ServerContext {
    /// Returns the context behind the pointer, which ``RunningDaemon`` retains as long as callbacks can come.
    fileprivate static func from(_ pointer: UnsafeMutableRawPointer?) -> ServerContext? {
        pointer.map { Unmanaged<ServerContext>.fromOpaque($0).takeUnretainedValue() }
    }
}
