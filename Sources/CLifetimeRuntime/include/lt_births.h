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
/// Counts the scopes that the calling thread opens and closes around a synchronous call.
void lt_begin_own_scope(void);
void lt_end_own_scope(void);
/// Sets the object that identifies the task-local value of scopes. The object must live as long as the process.
void lt_set_scope_key(const void *key);
/// Returns the scope of the calling task, or outside of tasks that of the calling thread; NULL if there is none. Not
/// retained: valid while the task has the scope.
const void *lt_scope(void);

/// Completes a birth that needs a resource first, or a registry with a scope; returns the handle.
///
/// A parameter of births, so that a birth is the last call of its caller and neither needs a stack frame for it.
typedef lt_handle (*lt_birth_completion)(uintptr_t metatype, uintptr_t file, intptr_t line);
/// Completes a death that needs more than counting.
typedef void (*lt_death_completion)(lt_handle handle);

/// Records a birth in the shared registry in the plain case. The thread is inside its own stripe, and leaves it.
lt_handle lt_birth_inside(
    uintptr_t metatype, uintptr_t file, intptr_t line, lt_birth_completion complete, lt_stripe *stripe);
/// Records a birth in any case, and leaves the thread's own stripe, if any.
lt_handle lt_birth_outside(uintptr_t metatype, uintptr_t file, intptr_t line, lt_birth_completion complete);
/// Records a birth with a known context; returns a handle, or the resource that is needed first.
lt_handle lt_birth_in(const lt_context *context, uint64_t time);
/// Records a birth in a scoped registry of which the calling task or thread has a scope, if the context is known and
/// nothing but the ticks and a stripe with its resources is needed; returns a handle, or a number below
/// LT_FIRST_TYPE if Swift code must record the birth.
lt_handle lt_birth_in_scope(lt_registry *registry, uintptr_t metatype, uintptr_t file, intptr_t line);
/// Returns a handle for an untraced instance; LT_UNTRACED for a thread without a stripe.
lt_handle lt_untraced_birth(void);
/// Returns the number of the next untraced instance that a thread will reserve; all numbers in handles are below it.
uint64_t lt_untraced_end(void);
/// Sets whether the deaths of untraced instances are reported.
void lt_watch_untraced_deaths(bool is_on);
/// Records the death of a listed instance.
void lt_listed_death(lt_handle handle, lt_death_completion complete);
/// Records any death of a listed instance, and returns its record. The thread must have a stripe with room for the
/// counter.
lt_record lt_death_in(lt_handle handle);
/// Counts the birth of an unlisted instance. The thread must have a stripe with room for the counter.
void lt_count_unlisted(uint32_t type);

// MARK: Inlined into the program

// Private to the functions below.
extern uint32_t lt_mode_bits;
/// The bits of an unlisted instance's handle of which one requires that the death be reported.
extern uint64_t lt_reported_bits;
extern _Thread_local lt_stripe *lt_own __attribute__((tls_model("initial-exec")));

static inline uint32_t lt_mode(void) { return __atomic_load_n(&lt_mode_bits, __ATOMIC_RELAXED); }

/// Records a birth in the current registry, unless tracing is off; returns the handle.
///
/// Has one level of calls and as few variables as possible, because a debug build of the program optimises nothing
/// here. In the plain case, the thread is inside its stripe at the call: stripe_entry.h explains the protocol.
static inline __attribute__((always_inline)) lt_handle lt_birth(
    uintptr_t metatype, uintptr_t file, intptr_t line, lt_birth_completion complete
) {
    lt_stripe *stripe = lt_own;
    __atomic_store_n(&stripe->inside, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t claim = __atomic_load_n(&stripe->claim, __ATOMIC_ACQUIRE);
    if (__builtin_expect(!claim, 1)) return lt_birth_inside(metatype, file, line, complete, stripe);
    // Only this thread accesses these two fields, so they need no lock.
    if (__builtin_expect(!(claim & LT_BIRTHS_OFF) || stripe->next_untraced == stripe->end_untraced, 0))
        return lt_birth_outside(metatype, file, line, complete);
    lt_handle handle = stripe->next_untraced;
    stripe->next_untraced = handle + LT_UNTRACED_STEP;
    __atomic_store_n(&stripe->inside, 0, __ATOMIC_RELEASE);
    return handle;
}

/// Records a death.
static inline __attribute__((always_inline)) void lt_death(lt_handle handle, lt_death_completion complete) {
    if (__builtin_expect(!(handle & LT_UNLISTED), 1)) lt_listed_death(handle, complete);
    else if (handle & __atomic_load_n(&lt_reported_bits, __ATOMIC_RELAXED)) complete(handle);
}
