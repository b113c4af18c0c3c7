// Installs the hooks, and looks at classes that they meet.
#define _GNU_SOURCE
#include "hooks.h"
#include "tally.h"

#if defined(__linux__)
#include <CForkBarrier.h>
#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdlib.h>

struct lt_tally_part lt_tally_parts[LT_TALLY_PARTS];
_Thread_local char lt_tally_mark;

// Protects the numbers, the images, and the filling of the table of classes. Not held while the loader's list of images
// is visited: the loader holds a lock meanwhile, and a program that visits the list itself may meet a class there.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static lt_images images;
static uint64_t classes, untraced_classes;
static bool is_installed;

// Protects the search for images. No thread waits for it.
static pthread_mutex_t search_lock = PTHREAD_MUTEX_INITIALIZER;
static lt_images found;

static void enter(void) {
    lt_fork_enter();
    pthread_mutex_lock(&lock);
}

static void leave(void) {
    pthread_mutex_unlock(&lock);
    lt_fork_leave();
}

enum { REPLACEMENTS = 8 };
static lt_replacement replacements[REPLACEMENTS];

const char *lt_every_class_find_runtime(void) {
    void *(*volatile find)(void *, const char *) = dlsym;
    lt_real = (lt_runtime){
        .alloc = (lt_alloc_function)find(RTLD_DEFAULT, "swift_allocObject"),
        .dealloc = (lt_dealloc_function)find(RTLD_DEFAULT, "swift_deallocClassInstance"),
        .dealloc_partial = (lt_dealloc_partial_function)find(RTLD_DEFAULT, "swift_deallocPartialClassInstance"),
        .init_stack = (lt_init_stack_function)find(RTLD_DEFAULT, "swift_initStackObject"),
        .dealloc_actor = (lt_dealloc_actor_function)find(RTLD_DEFAULT, "swift_defaultActor_deallocate"),
        .dealloc_resilient_actor =
            (lt_dealloc_actor_function)find(RTLD_DEFAULT, "swift_defaultActor_deallocateResilient"),
        .create_buffer = (lt_create_buffer_function)find(RTLD_DEFAULT, LT_CREATE_BUFFER),
        .managed_buffer = find(RTLD_DEFAULT, LT_MANAGED_BUFFER_DESCRIPTOR),
    };
    const lt_replacement all[REPLACEMENTS] = {
        {"swift_deallocClassInstance", lt_hook_dealloc, lt_real.dealloc, LT_FREES},
        {"swift_deallocPartialClassInstance", lt_hook_dealloc_partial, lt_real.dealloc_partial, LT_FREES},
        {"swift_defaultActor_deallocate", lt_hook_dealloc_actor, lt_real.dealloc_actor, LT_FREES},
        {"swift_defaultActor_deallocateResilient", lt_hook_dealloc_resilient_actor, lt_real.dealloc_resilient_actor,
         LT_FREES},
        {"swift_allocObject", lt_hook_alloc, lt_real.alloc, LT_ALLOCATES},
        {"swift_initStackObject", lt_hook_init_stack, lt_real.init_stack, LT_ALLOCATES},
        {LT_CREATE_BUFFER, lt_hook_create_buffer, lt_real.create_buffer, LT_ALLOCATES},
        {"dlsym", lt_hook_dlsym, dlsym, LT_LOADS},
    };
    for (int index = 0; index < REPLACEMENTS; index++) {
        if (!all[index].real) return "the Swift runtime lacks a function that the hooks replace";
        replacements[index] = all[index];
    }
    if (!lt_real.managed_buffer) return "the Swift runtime lacks the class ManagedBuffer";
    Dl_info runtime, allocator, library;
    if (!dladdr((void *)lt_real.alloc, &runtime) || !dladdr(lt_real.managed_buffer, &library)
        || runtime.dli_fbase != library.dli_fbase)
        return "another library has replaced swift_allocObject";
    // The hooks rely on the layout of malloc's blocks when they look for a trailer that may be missing. The address is
    // that to which the loader has bound this image; dlsym ignores functions with an older version of the symbol.
    void *(*volatile bound)(size_t) = malloc;
    if (!dladdr((void *)gnu_get_libc_version, &library) || !dladdr((void *)bound, &allocator)
        || allocator.dli_fbase != library.dli_fbase)
        return "another library has replaced malloc";
    return NULL;
}

const char *lt_every_class_install(lt_every_class_functions functions) {
    lt_completing = functions;
    const char *failure = lt_replace_in_program(&found, replacements, REPLACEMENTS);
    if (!failure && found.count == 0) failure = "the program has no code of Swift that allocates objects";
    if (failure) {
        lt_restore_in_program(replacements, REPLACEMENTS);
        return failure;
    }
    enter();
    images = found;
    __atomic_store_n(&is_installed, true, __ATOMIC_RELAXED);
    leave();
    return NULL;
}

/// Looks for images that were loaded or unloaded; returns false if another thread is doing so.
///
/// Must be called inside the fork barrier.
static bool look_again(void) {
    if (pthread_mutex_trylock(&search_lock) != 0) return false;
    if (__atomic_load_n(&is_installed, __ATOMIC_RELAXED) && lt_images_changed(&found)) {
        lt_replace_in_program(&found, replacements, REPLACEMENTS);
        pthread_mutex_lock(&lock);
        // Another image may be loaded at the addresses of its classes.
        bool is_lost = false;
        for (size_t index = 0; index < images.count; index++) {
            is_lost |= !lt_is_in_images(&found, (const void *)images.list[index].start);
        }
        if (is_lost) {
            lt_forget_classes();
            classes = untraced_classes = 0;
        }
        images = found;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_unlock(&search_lock);
    return true;
}

void lt_every_class_look_again(void) {
    const int error = errno;
    lt_fork_enter();
    look_again();
    lt_fork_leave();
    errno = error;
}

lt_tracing lt_meet_class(const lt_class *metadata) {
    const int error = errno;
    lt_fork_enter();
    const bool is_complete = look_again();
    pthread_mutex_lock(&lock);
    lt_tracing tracing = lt_known_tracing(metadata);
    if (tracing == LT_UNKNOWN_CLASS) {
        tracing = lt_judge_class(metadata, &images, lt_real.managed_buffer);
        const bool is_traced = tracing == LT_WITH_TRAILER || tracing == LT_AS_BUFFER;
        if (is_traced && lt_completing.is_left_out(metadata)) tracing = LT_LEFT_OUT;
        // The class may be of an image that another thread is about to find.
        if (is_complete || tracing != LT_FOREIGN_CLASS) {
            lt_remember_class(metadata, tracing);
            classes += tracing == LT_WITH_TRAILER || tracing == LT_AS_BUFFER;
            untraced_classes += tracing == LT_TOO_LARGE;
        }
    }
    pthread_mutex_unlock(&lock);
    lt_fork_leave();
    errno = error;
    return tracing;
}

lt_every_class_numbers lt_every_class_count(void) {
    enter();
    const lt_every_class_numbers numbers = {
        .images = images.count,
        .refused_images = images.refused,
        .classes = classes,
        .untraced_classes = untraced_classes,
        .stack_instances = lt_tally_sum(LT_TALLY_STACK_INSTANCES),
        .unknown_deaths = lt_tally_sum(LT_TALLY_UNKNOWN_DEATHS),
    };
    leave();
    return numbers;
}
#else
const char *lt_every_class_install(lt_every_class_functions functions) {
    (void)functions;
    return "the hooks need Linux";
}
const char *lt_every_class_find_runtime(void) { return "the hooks need Linux"; }
void lt_every_class_look_again(void) {}
lt_every_class_numbers lt_every_class_count(void) { return (lt_every_class_numbers){0}; }
#endif
