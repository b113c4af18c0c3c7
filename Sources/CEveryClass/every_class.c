// Installs the hooks, and looks at classes that they meet.
#define _GNU_SOURCE
#include "class_kinds.h"
#include "hooks.h"
#include "roomy_stack.h"
#include "tally.h"
#include "wraps.h"

#if defined(__linux__)
#include <CForkBarrier.h>
#include <CLifetimeRuntime.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct lt_tally_part lt_tally_parts[LT_TALLY_PARTS];
_Thread_local char lt_tally_mark;

// Protects the numbers, the images, and the filling of the table of classes. Not held while the loader's list of images
// is visited: the loader holds a lock meanwhile, and a program that visits the list itself may meet a class there.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static lt_images images;
static uint64_t classes;
static bool is_installed;
// Whether the program's calls were wrapped when it was linked; otherwise they go through slots.
static bool is_wrapped;
// Whether the tracer and classes that know it are a part of the program.
static bool is_of_program;

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

enum { REPLACEMENTS = 12 };
static lt_replacement replacements[REPLACEMENTS];

static void list_replacements(void) {
    const lt_replacement all[REPLACEMENTS] = {
        {"swift_deallocClassInstance", lt_hook_dealloc, lt_real.dealloc, LT_FREES},
        {"swift_deallocPartialClassInstance", lt_hook_dealloc_partial, lt_real.dealloc_partial, LT_FREES},
        {"swift_defaultActor_deallocate", lt_hook_dealloc_actor, lt_real.dealloc_actor, LT_FREES},
        {"swift_defaultActor_deallocateResilient", lt_hook_dealloc_resilient_actor, lt_real.dealloc_resilient_actor,
         LT_FREES},
        {"swift_allocObject", lt_hook_alloc, lt_real.alloc, LT_ALLOCATES},
        {"swift_initStackObject", lt_hook_init_stack, lt_real.init_stack, LT_ALLOCATES},
        {LT_CREATE_BUFFER, lt_hook_create_buffer, lt_real.create_buffer, LT_ALLOCATES},
        {"swift_bufferAllocate", lt_hook_allocate_buffer, lt_real.allocate_buffer, LT_ALLOCATES},
        {LT_MAKE_POINTER, lt_hook_make_pointer, lt_real.make_pointer, LT_ALLOCATES},
        {LT_MAKE_PLAIN_POINTER, lt_hook_make_plain_pointer, lt_real.make_plain_pointer, LT_ALLOCATES},
        {LT_MAKE_UNCHECKED_POINTER, lt_hook_make_unchecked_pointer, lt_real.make_unchecked_pointer, LT_ALLOCATES},
        {"dlsym", lt_hook_dlsym, lt_real.dlsym, LT_LOADS},
    };
    for (int index = 0; index < REPLACEMENTS; index++) replacements[index] = all[index];
}

static const char *find_in_libraries(void) {
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
        .allocate_buffer = (lt_allocate_buffer_function)find(RTLD_DEFAULT, "swift_bufferAllocate"),
        .make_pointer = (lt_make_pointer_function)find(RTLD_DEFAULT, LT_MAKE_POINTER),
        .make_plain_pointer = (lt_make_plain_pointer_function)find(RTLD_DEFAULT, LT_MAKE_PLAIN_POINTER),
        .make_unchecked_pointer = (lt_make_plain_pointer_function)find(RTLD_DEFAULT, LT_MAKE_UNCHECKED_POINTER),
        .dlsym = find,
    };
    list_replacements();
    for (int index = 0; index < REPLACEMENTS; index++) {
        if (!replacements[index].real) return "the Swift runtime lacks a function that the hooks replace";
    }
    return NULL;
}

const char *lt_every_class_find_runtime(lt_every_class_types types) {
    lt_set_known_types(types);
    const lt_image library = lt_image_of(lt_address_in_standard_library());
    const lt_image own = lt_own_image();
    is_wrapped = library.start == own.start && lt_are_calls_wrapped();
    if (is_wrapped) {
        lt_real = lt_wrapped_runtime();
        list_replacements();
    } else if (library.start == own.start) {
        return "the program has a static Swift standard library and calls it directly; link it with " LT_WRAP_OPTIONS;
    } else {
        const char *failure = find_in_libraries();
        if (failure) return failure;
        if (!lt_is_in_image(&library, (const void *)lt_real.alloc))
            return "another library has replaced swift_allocObject";
    }
    // The hooks rely on the layout of malloc's blocks when they look for a trailer that may be missing. The address is
    // that to which the loader has bound this image; dlsym ignores functions with an older version of the symbol.
    void *(*volatile bound)(size_t) = malloc;
    // Every C library has this function, and no allocator or sanitizer replaces it.
    const lt_image system = lt_image_of((const void *)getpagesize);
    if (!lt_is_in_image(&system, (const void *)bound)) return "another library has replaced malloc";
    return NULL;
}

const char *lt_every_class_install(lt_every_class_functions functions) {
    lt_completing = functions;
    is_of_program = functions.is_of_program;
    lt_fork_enter();
    pthread_mutex_lock(&search_lock);
    const char *failure = NULL;
    found = (lt_images){.includes_own = functions.is_of_program};
    if (is_wrapped) {
        lt_replace_wrapped(replacements, REPLACEMENTS, false);
        found.list[found.count++] = lt_own_image();
    } else {
        failure = lt_replace_in_program(&found, replacements, REPLACEMENTS);
        if (failure) lt_restore_in_program(replacements, REPLACEMENTS, functions.is_of_program);
    }
    if (!failure) {
        pthread_mutex_lock(&lock);
        images = found;
        __atomic_store_n(&is_installed, true, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_unlock(&search_lock);
    lt_fork_leave();
    // A thread that a birth starts would have the rights and the priority that the program has at that time, and a
    // filter of system calls that the program has installed could end the program.
    if (!failure && !functions.is_of_program) lt_start_clock_early();
    return failure;
}

/// Looks for images that were loaded or unloaded; returns false if another thread is doing so.
///
/// Must be called inside the fork barrier.
static bool look_again(void) {
    if (pthread_mutex_trylock(&search_lock) != 0) return false;
    if (!is_wrapped && __atomic_load_n(&is_installed, __ATOMIC_ACQUIRE) && lt_images_changed(&found)) {
        lt_replace_in_program(&found, replacements, REPLACEMENTS);
        pthread_mutex_lock(&lock);
        // Another image may be loaded at the addresses of its classes.
        bool is_lost = false;
        for (size_t index = 0; index < images.count; index++) {
            is_lost |= !lt_is_in_images(&found, (const void *)images.list[index].start);
        }
        if (is_lost) {
            lt_forget_classes();
            classes = 0;
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

/// Looks at a class that is not known; returns whether the result is final.
static bool judge(const lt_class *metadata, bool is_of_library, bool has_all_images, lt_tracing *tracing) {
    *tracing = LT_FOREIGN_CLASS;
    if (is_of_library) return true;
    // During the installation, the images of the program are not listed yet.
    if (!__atomic_load_n(&is_installed, __ATOMIC_RELAXED)) return false;
    *tracing = lt_judge_class(metadata, &images);
    // The class may be of an image that another thread is about to find.
    return has_all_images || *tracing != LT_FOREIGN_CLASS;
}

static bool is_traced(lt_tracing tracing) { return tracing == LT_WITH_TRAILER || tracing == LT_IN_TABLE; }

static uint64_t is_left_out(const void *metadata) {
    return lt_completing.is_left_out(metadata);
}

/// Remembers how the instances of a class are traced, unless the rules leave the class out.
static void remember(const lt_class *metadata, lt_tracing *tracing) {
    // Asked without the lock, because a thread may meet a class while it holds the lock of the rules.
    if (is_traced(*tracing) && lt_call_with_room(is_left_out, metadata)) *tracing = LT_LEFT_OUT;
    pthread_mutex_lock(&lock);
    // Another thread may have met the class, too.
    if (lt_known_tracing(metadata) == LT_UNKNOWN_CLASS) {
        lt_remember_class(metadata, *tracing);
        classes += is_traced(*tracing);
    }
    pthread_mutex_unlock(&lock);
}

lt_tracing lt_meet_class(const lt_class *metadata) {
    const int error = errno;
    lt_fork_enter();
    // The tracer may create objects where it must not wait for the loader.
    const bool is_of_library =
        (is_of_program && lt_is_of_tracer(metadata)) || (is_wrapped && lt_is_of_swift(metadata));
    const bool has_all_images = !is_of_library && look_again();
    pthread_mutex_lock(&lock);
    lt_tracing tracing = lt_known_tracing(metadata);
    const bool is_judged =
        tracing == LT_UNKNOWN_CLASS && judge(metadata, is_of_library, has_all_images, &tracing);
    pthread_mutex_unlock(&lock);
    if (is_judged) remember(metadata, &tracing);
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
const char *lt_every_class_find_runtime(lt_every_class_types types) {
    (void)types;
    return "the hooks need Linux";
}
void lt_every_class_look_again(void) {}
lt_every_class_numbers lt_every_class_count(void) { return (lt_every_class_numbers){0}; }
#endif
