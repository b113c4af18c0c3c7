#ifdef __linux__
#include "frozen_copy.h"

// The functions in whose frames on a thread's stack a word lies, or to which a register of a thread belongs.
//
// Optimised code keeps references in registers. A function that uses such a register first saves the value of its
// callers, in its own frame. The value is then a variable of the nearest caller that uses the register itself.

/// Registers, as bits.
enum { RBX = 1, R12 = 2, R13 = 4, R14 = 8, R15 = 16 };

/// The bytes of a function's beginning: the instructions push %rbp and mov %rsp,%rbp.
static const uint8_t beginning[] = {0x55, 0x48, 0x89, 0xE5};

enum {
    WORD = sizeof(uintptr_t),
    /// The most frames that are listed.
    MOST_FRAMES = 256,
    /// Functions begin at multiples of this number.
    CODE_ALIGNMENT = 16,
    /// The longest distance of a call from the beginning of its function that is searched.
    LONGEST_FUNCTION = 1 << 16,
    /// The most instructions that save a register.
    MOST_SAVED = 6,
};

/// Returns the place behind the beginning of the function that contains an address; NULL if it was not found.
static const uint8_t *behind_beginning(const rp_frozen_copy *frozen, uintptr_t address) {
    const rp_mapping *code = rp_mapping_at(frozen, address);
    if (!code || !(code->flags & RP_MAPPING_READABLE)) return NULL;
    uintptr_t lowest = address - code->start > LONGEST_FUNCTION ? address - LONGEST_FUNCTION : code->start;
    for (uintptr_t at = (address - 1) & ~(uintptr_t)(CODE_ALIGNMENT - 1); at >= lowest; at -= CODE_ALIGNMENT) {
        if (memcmp((const void *)at, beginning, sizeof beginning) == 0) return (const uint8_t *)at + sizeof beginning;
    }
    return NULL;
}

/// Stores the registers that a function saves at its beginning, in their order in memory, and returns their number. An
/// entry is 0 if the value is only there to align the stack.
static uint32_t saved_registers(const rp_frozen_copy *frozen, uintptr_t address, uint8_t *saved) {
    enum { PUSH_RBX = 0x53, PUSH_RAX = 0x50, EXTENDED = 0x41, PUSH_R12 = 0x54, PUSH_R15 = 0x57 };
    const uint8_t *code = behind_beginning(frozen, address);
    uint32_t count = 0;
    for (; code && count < MOST_SAVED; count++) {
        if (*code == PUSH_RBX || *code == PUSH_RAX) {
            saved[count] = *code == PUSH_RBX ? RBX : 0;
            code++;
        } else if (*code == EXTENDED && code[1] >= PUSH_R12 && code[1] <= PUSH_R15) {
            saved[count] = (uint8_t)(R12 << (code[1] - PUSH_R12));
            code += 2;
        } else {
            break;
        }
    }
    return count;
}

/// A function that has not returned: the address in it to which a call returns, and the end of its frame.
typedef struct frame {
    uintptr_t function, end;
} frame;

/// Returns the register whose value a function has saved in a word of its frame; 0 if the word is something else.
static uint8_t register_in(const rp_frozen_copy *frozen, const frame *frame, uintptr_t word) {
    uint8_t saved[MOST_SAVED];
    uint32_t count = saved_registers(frozen, frame->function, saved);
    uint64_t place = (frame->end - word) / WORD;
    return place > 0 && place <= count ? saved[place - 1] : 0;
}

/// Returns the address at which a function has saved a register; 0 if it has not.
static uintptr_t place_of(const rp_frozen_copy *frozen, const frame *frame, uint8_t wanted) {
    uint8_t saved[MOST_SAVED];
    uint32_t count = saved_registers(frozen, frame->function, saved);
    for (uint32_t index = 0; index < count; index++) {
        if (saved[index] == wanted) return frame->end - (index + 1) * WORD;
    }
    return 0;
}

// MARK: Description

static const rp_thread_part *stack_around(const rp_frozen_copy *frozen, uintptr_t word) {
    for (uint32_t index = 0; index < frozen->threads.part_count; index++) {
        const rp_thread_part *part = frozen->threads.parts + index;
        bool is_stack = part->node == RP_NODE_ROOT_STACK;
        if (is_stack && word >= part->range.start && word < part->range.end) return part;
    }
    return NULL;
}

/// A chain of frames, from the frame around a word on.
typedef struct callers {
    frame frames[MOST_FRAMES];
    uint32_t count;
} callers;

/// Lists the frames from the one around a word on: that of the function to which the last end of a frame before the
/// word returns, then its callers.
static void list_callers(const rp_frozen_copy *frozen, rp_range stack, uintptr_t at, uintptr_t word, callers *listed) {
    listed->count = 0;
    while (at != 0 && listed->count < MOST_FRAMES) {
        uintptr_t caller = rp_caller_frame(frozen, stack, at);
        if (caller > word) listed->frames[listed->count++] = (frame){.function = rp_read64(at + WORD), .end = caller};
        at = caller;
    }
}

/// Returns the index of the first frame, from an index on, of a function that has saved a register whose value was not
/// `value`; the number of frames if there is none. A function that has saved the same value has left it in the
/// register.
static uint32_t user_of(
    const rp_frozen_copy *frozen, const callers *callers, uint32_t from, uint8_t wanted, uint64_t value) {
    uint32_t index = from;
    for (; index < callers->count; index++) {
        uintptr_t place = place_of(frozen, callers->frames + index, wanted);
        if (place && rp_read64(place) != value) break;
    }
    return index;
}

/// Returns the index of the frame of the function that owns the word in the first frame.
static uint32_t owner_among(const rp_frozen_copy *frozen, const callers *callers, uintptr_t word) {
    uint8_t saved = register_in(frozen, callers->frames, word);
    if (!saved) return 0;
    uint32_t owner = user_of(frozen, callers, 1, saved, rp_read64(word));
    return owner < callers->count ? owner : 0;
}

static void add_functions(const callers *callers, uint32_t owner, rp_step *step) {
    for (uint32_t index = owner; index < callers->count && index - owner < RP_MAX_STEP_FUNCTIONS; index++) {
        step->functions[step->function_count++] = callers->frames[index].function;
    }
}

static void describe_register(
    const rp_frozen_copy *frozen, const rp_thread_registers *registers, uintptr_t word, rp_step *step) {
    static const uint8_t order[RP_KEPT_REGISTERS] = {RBX, R12, R13, R14, R15};
    rp_range stack = frozen->threads.parts[registers->part].range;
    callers listed;
    list_callers(frozen, stack, rp_first_frame(frozen, stack), stack.start, &listed);
    uint8_t wanted = order[(word - (uintptr_t)registers->words) / WORD];
    uint32_t owner = user_of(frozen, &listed, 0, wanted, rp_read64(word));
    step->is_in_register = true;
    // A register has no address.
    step->address = stack.start;
    // A function without a frame of its own may be the owner if no other is.
    step->is_in_callee = owner == listed.count;
    add_functions(&listed, step->is_in_callee ? 0 : owner, step);
}

void rp_describe_stack_frames(const rp_frozen_copy *frozen, uintptr_t word, rp_step *step) {
    step->function_count = 0;
    const rp_thread_registers *registers = rp_registers_with(frozen, word);
    if (registers) {
        describe_register(frozen, registers, word, step);
        return;
    }
    const rp_thread_part *part = stack_around(frozen, word);
    if (!part) return;
    uintptr_t first = rp_first_frame(frozen, part->range);
    callers listed;
    list_callers(frozen, part->range, first, word, &listed);
    if (listed.count == 0) return;
    step->is_in_callee = word < first;
    uint32_t owner = step->is_in_callee ? 0 : owner_among(frozen, &listed, word);
    add_functions(&listed, owner, step);
}

#endif
