// Births and deaths. The plain cases are inlined into the program.
#pragma once

#include "lt_handles.h"
#include "lt_stripes.h"

/// Bits of the mode; 0 is the plain case. The bits above them count the scopes in force.
enum { LT_MODE_OFF = 1, LT_MODE_STACKS = 2, LT_MODE_SCOPE = 4 };
static inline uint32_t lt_mode(void);
void lt_set_mode(uint32_t bit, bool is_on);
/// Returns whether births in a registry record their creation stacks.
bool lt_has_stacks(const lt_registry *registry);
void lt_set_stacks(lt_registry *registry, bool is_on);
void lt_add_scopes(int32_t change);
/// Sets the object that identifies the task-local value of scopes. The object must live as long as the process.
void lt_set_scope_key(const void *key);
/// Returns the scope of the calling task, or outside of tasks that of the calling thread; NULL if there is none. Not
/// retained: valid while the task has the scope.
const void *lt_scope(void);

/// Records a birth in the shared registry in the plain mode; returns a handle, or the resource that is needed first.
lt_handle lt_birth_in_plain_mode(const void *metatype, const void *file, uint64_t line);
/// Records a birth in the shared registry if creation stacks are recorded and the mode is plain otherwise.
lt_handle lt_birth_with_stack(const void *metatype, const void *file, uint64_t line);
/// Records a birth in the shared registry in any other mode.
lt_handle lt_birth_in_mode(const void *metatype, const void *file, uint64_t line, uint32_t mode);
/// Records a birth with a known context.
lt_handle lt_birth_in(const lt_context *context, uint64_t time);
/// Returns a handle for an untraced instance; LT_UNTRACED for a thread without a stripe.
lt_handle lt_untraced_birth(void);
/// Changes the number of untraced instances whose deaths must be reported.
void lt_add_untraced_watches(int64_t change);
/// Records the death of a listed instance; returns false, without having done anything, if the death needs more than
/// counting.
bool lt_listed_death(lt_handle handle);
/// Records any death of a listed instance, and returns its record. The thread must have a stripe with room for the
/// counter.
lt_record lt_death_in(lt_handle handle);
/// Counts the birth of an unlisted instance. The thread must have a stripe with room for the counter.
void lt_count_unlisted(uint32_t type);

// MARK: Inlined into the program

// Private to the functions below.
extern uint32_t lt_mode_bits;
extern int64_t lt_untraced_watches;
extern _Thread_local lt_stripe *lt_own __attribute__((tls_model("initial-exec")));

static inline uint32_t lt_mode(void) { return __atomic_load_n(&lt_mode_bits, __ATOMIC_RELAXED); }

/// Records a birth in the shared registry, unless tracing is off; returns a handle, or the resource that is needed
/// first.
///
/// Has one level of calls and as few variables as possible, because a debug build of the program optimises nothing
/// here.
static inline __attribute__((always_inline)) lt_handle lt_birth(uintptr_t metatype, uintptr_t file, intptr_t line) {
    if (__builtin_expect(!__atomic_load_n(&lt_mode_bits, __ATOMIC_RELAXED), 1))
        return lt_birth_in_plain_mode((const void *)metatype, (const void *)file, line);
    uint32_t mode = lt_mode();
    if (mode & LT_MODE_OFF) {
        // Only this thread accesses these two fields, so they need no lock.
        lt_stripe *stripe = lt_own;
        if (__builtin_expect(stripe && stripe->next_untraced != stripe->end_untraced, 1))
            return stripe->next_untraced++ << LT_PAYLOAD_SHIFT | LT_UNTRACED;
    }
    if (mode == LT_MODE_STACKS) return lt_birth_with_stack((const void *)metatype, (const void *)file, line);
    return lt_birth_in_mode((const void *)metatype, (const void *)file, line, mode);
}

/// Records a death; returns false, without having done anything, if the death needs more than counting.
static inline __attribute__((always_inline)) bool lt_death(lt_handle handle) {
    if (__builtin_expect(!(handle & LT_UNLISTED), 1)) return lt_listed_death(handle);
    return !(handle & LT_TYPE_MASK) && !__atomic_load_n(&lt_untraced_watches, __ATOMIC_RELAXED);
}
