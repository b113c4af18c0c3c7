#ifdef __linux__
#include "frozen_copy.h"

#include <sys/syscall.h>

// The frame in which a thread waits for events of epoll. The function stores its arguments in the frame and leaves the
// other words as earlier calls left them. The thread that waits for libdispatch's timers and descriptors stays in the
// frame for a long time, so a stale word in the frame would hold its object as long.

// sysdeps/unix/sysv/linux/epoll_wait.c, as compiled for x86-64 into Debian's glibc 2.36: the offsets of the stored
// arguments, and of the address to return to. Only a frame that contains the call's arguments is taken for one.
enum {
    DESCRIPTOR = 12,
    EVENTS = 16,
    MOST_EVENTS = 24,
    RETURN_ADDRESS = 40,
};

/// Whether libdispatch called a function, by the address to which the function returns. If libdispatch is a part of the
/// program, as this code then is, the caller is not known.
static bool is_called_by_dispatch(const rp_frozen_copy *frozen, uintptr_t address) {
    const rp_mapping *code = rp_code_of_dispatch(frozen);
    uintptr_t own = (uintptr_t)&is_called_by_dispatch;
    return code && address >= code->start && address < code->end && (own < code->start || own >= code->end);
}

uintptr_t rp_end_of_epoll_frame(const rp_frozen_copy *frozen, const rp_thread *thread, rp_range stack) {
#ifdef __x86_64__
    uintptr_t start = stack.start, end = start + RETURN_ADDRESS;
    if (thread->system_call != SYS_epoll_wait || end + sizeof(uintptr_t) > stack.end) return start;
    bool is_frame = rp_read32(start + DESCRIPTOR) == (uint32_t)thread->arguments[0] &&
        rp_read64(start + EVENTS) == thread->arguments[1] &&
        rp_read32(start + MOST_EVENTS) == (uint32_t)thread->arguments[2] && rp_is_code(frozen, rp_read64(end));
    if (!is_frame) return start;
    // Only the thread that handles libdispatch's events calls the function from there. It begins with an event when the
    // function has returned (_dispatch_event_loop_drain in src/event/event_epoll.c), so the frames below contain stale
    // words alone, among them those of the events before.
    return is_called_by_dispatch(frozen, rp_read64(end)) ? stack.end : end;
#else
    (void)frozen, (void)thread;
    return stack.start;
#endif
}

#endif
