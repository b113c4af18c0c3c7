#ifdef __linux__
#include "frozen_copy.h"

// The frames of functions on a stack. Swift's functions keep frame pointers: each frame ends with the address of the
// end of its caller's frame, and the address to return to lies behind that (System V ABI, AMD64, 3.2.2). Functions of C
// libraries may have no such words, and stale words of earlier calls look like them. The frames in use are therefore
// the longest chain of such words.

enum {
    WORD = sizeof(uintptr_t),
    /// A frame's last two words: the address of the caller's, and the address to return to.
    FRAME_END = 2 * WORD,
    /// The ends of frames are aligned like the stack at a call.
    FRAME_ALIGNMENT = 16,
    /// The most frames that are followed, and the most memory that is searched for them.
    MOST_FRAMES = 256,
    MOST_BYTES = 1 << 20,
    /// The lengths of the instructions that call the function to which a register or a word in memory points.
    SHORTEST_INDIRECT_CALL = 2,
    LONGEST_INDIRECT_CALL = 7,
    DIRECT_CALL_LENGTH = 5,
};

/// Whether an address follows an instruction that calls a function: E8, or FF with 2 in bits 3 to 5 of the next byte
/// (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CALL).
static bool is_after_call(const rp_frozen_copy *frozen, uintptr_t address) {
    enum { DIRECT = 0xE8, INDIRECT = 0xFF, OPERATION_SHIFT = 3, OPERATION_BITS = 7, CALL = 2 };
    uintptr_t first = address - LONGEST_INDIRECT_CALL;
    if (!rp_is_code(frozen, address) || !rp_is_readable(frozen, first, LONGEST_INDIRECT_CALL)) return false;
    const uint8_t *code = (const uint8_t *)address;
    if (code[-DIRECT_CALL_LENGTH] == DIRECT) return true;
    for (int length = SHORTEST_INDIRECT_CALL; length <= LONGEST_INDIRECT_CALL; length++) {
        if (code[-length] != INDIRECT) continue;
        if ((code[1 - length] >> OPERATION_SHIFT & OPERATION_BITS) == CALL) return true;
    }
    return false;
}

uintptr_t rp_caller_frame(const rp_frozen_copy *frozen, rp_range stack, uintptr_t at) {
    if (at % FRAME_ALIGNMENT != 0 || at < stack.start || at + FRAME_END > stack.end) return 0;
    uintptr_t caller = rp_read64(at);
    bool is_above = caller > at && caller < stack.end && caller % FRAME_ALIGNMENT == 0;
    return is_above && is_after_call(frozen, rp_read64(at + WORD)) ? caller : 0;
}

static uint32_t length_from(const rp_frozen_copy *frozen, rp_range stack, uintptr_t at) {
    uint32_t length = 0;
    while (length < MOST_FRAMES && (at = rp_caller_frame(frozen, stack, at)) != 0) length++;
    return length;
}

uintptr_t rp_first_frame(const rp_frozen_copy *frozen, rp_range stack) {
    uintptr_t first = 0, next = 0;
    uint32_t longest = 0;
    uintptr_t start = (stack.start + FRAME_ALIGNMENT - 1) & ~(uintptr_t)(FRAME_ALIGNMENT - 1);
    uintptr_t end = stack.end - start > MOST_BYTES ? start + MOST_BYTES : stack.end;
    for (uintptr_t at = start; at < end; at += FRAME_ALIGNMENT) {
        // The rest of a chain is shorter than the chain.
        bool is_rest = at == next;
        if (is_rest || next < at) next = rp_caller_frame(frozen, stack, at);
        uint32_t length = is_rest ? 0 : length_from(frozen, stack, at);
        if (length > longest) first = at;
        if (length > longest) longest = length;
    }
    return first;
}

#endif
