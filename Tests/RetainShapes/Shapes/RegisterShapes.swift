import Foundation
internal import LifetimeTracer
internal import RetainShapesCLibrary

/// Variables that optimised code keeps in registers while their functions wait in the kernel.
@MainActor package enum RegisterShapes {
    static let all = [variable, holder]

    private static let variable = Shape(
        "in a register: a variable", .held(.step(.stack, "register of thread")).orMore(), alone: true
    ) {
        farDownTheStack { RetainedScreen(DetailScreen()) { $0 } }.waiting()
    }

    private static let holder = Shape(
        "in a register: a variable whose object holds another",
        .held(.step(.stack, "register of thread"), .object("Drawer"), .through("screens")).orMore(), alone: true
    ) {
        farDownTheStack { RetainedScreen(DetailScreen()) { Drawer($0) } }.waiting()
    }
}

private final class Drawer {
    let screens: [DetailScreen]

    init(_ screen: DetailScreen) { screens = [screen] }
}

/// A screen that stays alive for an object that is retained by hand.
private struct RetainedScreen {
    let planted: Planted
    let inverted: UInt

    init(_ screen: DetailScreen, keptBy holder: (DetailScreen) -> AnyObject) {
        // The thread that waits releases the holder.
        inverted = ~UInt(bitPattern: Unmanaged.passRetained(holder(screen)).toOpaque())
        planted = Planted(screen) {
            rs_end_wait()
            RetainedScreen.ended.wait()
        }
    }

    private static let ended = DispatchSemaphore(value: 0)

    /// Starts a thread that waits with the holder in a register, and returns when it waits.
    func waiting() -> Planted {
        overwriteStack()
        let sleep = ThreadSleep()
        Thread.detachNewThread { [inverted] in
            keepInRegister(inverted, sleep)
            Self.ended.signal()
        }
        sleep.wait()
        return planted
    }
}

@inline(never)
private func keepInRegister(_ inverted: UInt, _ sleep: ThreadSleep) {
    sleep.begin()
    rs_wait_with_register(inverted)
    guard let holder = UnsafeRawPointer(bitPattern: ~inverted) else { return }
    // Safe: the holder was retained by hand, and this is the only release.
    Unmanaged<AnyObject>.fromOpaque(holder).release()
}
