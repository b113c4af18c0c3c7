import Foundation
internal import LifetimeTracer
internal import RetainShapesCLibrary

/// Variables that optimised code keeps in registers while their functions wait in the kernel.
@MainActor package enum RegisterShapes {
    static let all = [variable, holder, property]

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

    private static let property = Shape(
        "in a register: the address of a variable's property",
        .held(.step(.stack, "register of thread"), .object("Drawer"), .through("screens")).orMore(), alone: true
    ) {
        farDownTheStack { RetainedScreen(DetailScreen()) { Drawer($0) } }.waiting(at: Drawer.offset)
    }
}

private final class Drawer {
    let screens: [DetailScreen]

    /// The offset of the property behind the object's header of two words.
    static let offset: UInt = 16

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

    /// Starts a thread that waits with the holder, or the address at an offset in it, in a register, and returns when
    /// the thread waits.
    func waiting(at offset: UInt = 0) -> Planted {
        overwriteStack()
        let sleep = ThreadSleep()
        Thread.detachNewThread { [inverted] in
            keepInRegister(inverted, offset, sleep)
            Self.ended.signal()
        }
        sleep.wait()
        return planted
    }
}

@inline(never)
private func keepInRegister(_ inverted: UInt, _ offset: UInt, _ sleep: ThreadSleep) {
    sleep.begin()
    rs_wait_with_register(inverted &- offset)
    guard let holder = UnsafeRawPointer(bitPattern: ~inverted) else { return }
    // Safe: the holder was retained by hand, and this is the only release.
    Unmanaged<AnyObject>.fromOpaque(holder).release()
}
