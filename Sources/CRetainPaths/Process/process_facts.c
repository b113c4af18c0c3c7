#ifdef __linux__
#define _GNU_SOURCE

#include "CRetainPaths.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Facts that only the running process knows: where its threads and libraries keep certain variables. The code reads
// only the calling thread's descriptor and variables of loaded libraries, which stay mapped as long as the thread and
// the libraries exist.

enum {
    /// The largest distance of static thread-local variables from the thread pointer (glibc's surplus is below 2 KiB by
    /// default).
    FURTHEST_VARIABLES = 1 << 20,
    /// The range of struct pthread that contains the thread's number (nptl/descr.h: behind tcbhead_t and its padding).
    FIRST_ID_OFFSET = 0x200,
    LAST_ID_OFFSET = 0x400,
    /// The part of libdispatch's variables that must exist (struct dispatch_tsd in src/shims/tsd.h): the thread's
    /// number and three more words.
    DISPATCH_VARIABLES_SIZE = 32,
};

void *rp_versioned_malloc(void) {
    return dlvsym(RTLD_DEFAULT, "malloc", "GLIBC_2.2.5");
}

size_t rp_usable_size(void *block) {
    return malloc_usable_size(block);
}

bool rp_thread_has_arena(void) {
    // The thread's cache holds at most this many blocks of a size (TCACHE_FILL_COUNT in glibc's malloc/malloc.c). Other
    // threads may have allocated them in their arenas.
    enum { SMALL = 64, PART_OF_PAGE = 1024, CACHED = 7 };
    // The pointers are volatile because the compiler would remove the pairs of malloc and free.
    void *volatile blocks[CACHED + 1];
    bool has_arena = true;
    for (int index = 0; index <= CACHED; index++) {
        blocks[index] = malloc(SMALL);
        has_arena = has_arena && blocks[index] && malloc_usable_size(blocks[index]) < PART_OF_PAGE;
    }
    for (int index = 0; index <= CACHED; index++) free(blocks[index]);
    return has_arena;
}

static void clear_free_blocks(size_t size) {
    // The thread's cache holds at most this many blocks of a size (TCACHE_FILL_COUNT in glibc's malloc/malloc.c).
    enum { CACHED = 7 };
    // The pointers are volatile because the compiler would remove the pairs of malloc and free.
    void *volatile blocks[CACHED];
    // The first round fills the cache: malloc may add free blocks of its arena to the cache when it finds it empty, so
    // the number of blocks in it is unknown before. The second round then gets all blocks of the cache and no others.
    for (int round = 0; round < 2; round++) {
        for (int index = 0; index < CACHED; index++) {
            blocks[index] = malloc(size);
            if (blocks[index]) memset(blocks[index], 0, size);
        }
        for (int index = 0; index < CACHED; index++) free(blocks[index]);
    }
}

void rp_clear_free_task_blocks(void) {
    // The usable sizes of malloc's blocks for tasks that are not children, and for further memory of their allocator
    // (stdlib/public/runtime/StackAllocator.h).
    enum { SMALLEST_TASK = 264, LARGEST_TASK = 392, STEP = 16, SLAB = 1016 };
    for (size_t size = SMALLEST_TASK; size <= LARGEST_TASK; size += STEP) clear_free_blocks(size);
    clear_free_blocks(SLAB);
}

__attribute__((noinline)) void rp_clear_stack(void) {
    char words[128 * 1024];
    memset(words, 0, sizeof words);
    // The compiler must assume that the words are read.
    __asm__ volatile("" : : "r"(words) : "memory");
}

#if defined(__linux__) && defined(__x86_64__)

int32_t rp_thread_number(void) {
    return (int32_t)syscall(SYS_gettid);
}

// glibc's list of open files (libio/libioP.h), a part of its ABI that no header declares.
extern void *_IO_list_all __attribute__((weak));

// Swift's variables for debuggers (swift/Runtime/Concurrency.h, debug_internal in TaskPrivate.h; AllocationPool in
// Metadata.cpp). They are named instead of looked up with dlsym, because a static link would leave them out otherwise,
// and because a static program does not export them. They are weak, so that a runtime without them can be linked.
extern const uintptr_t _swift_concurrency_debug_asyncTaskSlabMetadata __attribute__((weak));
extern const size_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));
extern const uintptr_t _swift_concurrency_debug_future_adapter __attribute__((weak));
extern const uintptr_t _swift_concurrency_debug_non_future_adapter __attribute__((weak));
extern const uintptr_t _swift_debug_allocationPoolPointer __attribute__((weak));

// Functions of libdispatch, of which the first reads the thread's variables. They are weak, so that libdispatch need
// not be linked.
extern void *dispatch_get_specific(const void *key) __attribute__((weak));
extern void *dispatch_group_create(void) __attribute__((weak));
extern void dispatch_release(void *object) __attribute__((weak));

/// Stores the range of the concurrency library, which stays empty in a static program.
static void find_library(const struct dl_phdr_info *object, rp_process_facts *facts) {
    bool is_program = !object->dlpi_name || !*object->dlpi_name;
    if (is_program || !facts->task_slab_metadata) return;
    rp_range range = {.start = UINTPTR_MAX};
    bool is_found = false;
    for (uint32_t index = 0; index < object->dlpi_phnum; index++) {
        if (object->dlpi_phdr[index].p_type != PT_LOAD) continue;
        uintptr_t start = object->dlpi_addr + object->dlpi_phdr[index].p_vaddr;
        uintptr_t end = start + object->dlpi_phdr[index].p_memsz;
        is_found |= facts->task_slab_metadata >= start && facts->task_slab_metadata < end;
        if (start < range.start) range.start = start;
        if (end > range.end) range.end = end;
    }
    if (is_found) facts->concurrency_library = range;
}

static int visit_object(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    rp_process_facts *facts = context;
    find_library(object, facts);
    if (!object->dlpi_tls_data) return 0;
    uintptr_t pointer = (uintptr_t)__builtin_thread_pointer();
    uintptr_t variables = (uintptr_t)object->dlpi_tls_data;
    // Thread-local variables of libraries that were loaded later lie elsewhere, in memory of malloc.
    if (variables >= pointer || pointer - variables > FURTHEST_VARIABLES) return 0;
    if (pointer - variables > facts->thread_local_size) facts->thread_local_size = pointer - variables;
    if (object->dlpi_name && strstr(object->dlpi_name, "libdispatch.so")) {
        facts->dispatch_offset = (int64_t)(variables - pointer);
    }
    return 0;
}

static uint64_t learn_id_offset(void) {
    const char *pointer = __builtin_thread_pointer();
    int32_t own = rp_thread_number();
    uint64_t found = 0;
    for (uint64_t offset = FIRST_ID_OFFSET; offset < LAST_ID_OFFSET; offset += sizeof own) {
        int32_t value;
        memcpy(&value, pointer + offset, sizeof value);
        if (value != own) continue;
        if (found) return 0;
        found = offset;
    }
    return found;
}

// Functions of Swift's runtime that list an access of the calling thread, and take it out of the list
// (swift/Runtime/Exclusivity.h). They are weak, so that a runtime without them can be linked.
extern void swift_beginAccess(void *variable, void *access, uintptr_t flags, void *code) __attribute__((weak));
extern void swift_endAccess(void *access) __attribute__((weak));

/// Finds the variable with the thread's first access: it holds the address of an access that has just begun.
static int64_t learn_accesses_offset(uint64_t thread_local_size) {
    // ExclusivityFlags (swift/ABI/MetadataValues.h): a modification, which is listed until it ends.
    enum { MODIFY_TRACKED = 0x21, WORDS_OF_ACCESS = 3 };
    if (!swift_beginAccess || !swift_endAccess) return 0;
    uintptr_t variable, access[WORDS_OF_ACCESS];
    swift_beginAccess(&variable, access, MODIFY_TRACKED, NULL);
    const char *pointer = __builtin_thread_pointer();
    int64_t found = 0;
    uint32_t count = 0;
    int64_t first = -(int64_t)(thread_local_size / sizeof(uintptr_t) * sizeof(uintptr_t));
    for (int64_t offset = first; offset < 0; offset += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, pointer + offset, sizeof word);
        if (word != (uintptr_t)access) continue;
        found = offset;
        count++;
    }
    swift_endAccess(access);
    return count == 1 ? found : 0;
}

/// The work of a thread that finds libdispatch's variables.
typedef struct finding {
    uint64_t thread_local_size;
    int64_t offset;
} finding;

static void *find_in_new_thread(void *context) {
    finding *at = context;
    // libdispatch writes the number of a thread at the thread's first call. Other libraries write it as well, but this
    // thread has not called them.
    static const char key;
    dispatch_get_specific(&key);
    const char *pointer = __builtin_thread_pointer();
    int32_t own = rp_thread_number();
    int64_t first = -(int64_t)(at->thread_local_size / sizeof(uintptr_t) * sizeof(uintptr_t));
    for (int64_t offset = first; offset <= -DISPATCH_VARIABLES_SIZE; offset += sizeof(uintptr_t)) {
        // The number has 32 bits; the other half of its word is padding.
        uint64_t word;
        memcpy(&word, pointer + offset, sizeof word);
        if (word != (uint32_t)own) continue;
        bool is_second = at->offset != 0;
        at->offset = is_second ? 0 : offset;
        if (is_second) break;
    }
    return NULL;
}

int64_t rp_find_dispatch_variables(uint64_t thread_local_size) {
    if (!dispatch_get_specific) return 0;
    finding found = {.thread_local_size = thread_local_size};
    pthread_t thread;
    // `found` outlives the thread, which is joined.
    if (pthread_create(&thread, NULL, find_in_new_thread, &found) != 0) return 0;
    pthread_join(thread, NULL);
    return found.offset;
}

/// Returns the same offset, which is looked for once.
static int64_t known_dispatch_variables(uint64_t thread_local_size) {
    static _Atomic int64_t known;
    if (!known) known = rp_find_dispatch_variables(thread_local_size);
    return known;
}

/// Returns the class of libdispatch's groups, which a new group tells once. libdispatch does not export it.
static uintptr_t known_group_class(void) {
    static _Atomic uintptr_t known;
    if (!known && dispatch_group_create && dispatch_release) {
        void *group = dispatch_group_create();
        uintptr_t class;
        memcpy(&class, group, sizeof class);
        known = class;
        dispatch_release(group);
    }
    return known;
}

rp_process_facts rp_learn_process_facts(void) {
    rp_process_facts facts = {.thread_id_offset = learn_id_offset()};
    if (&_swift_concurrency_debug_asyncTaskSlabMetadata) {
        facts.task_slab_metadata = _swift_concurrency_debug_asyncTaskSlabMetadata;
    }
    if (&_swift_concurrency_debug_asyncTaskSize) facts.task_size = _swift_concurrency_debug_asyncTaskSize;
    if (&_swift_concurrency_debug_future_adapter) facts.task_starters[0] = _swift_concurrency_debug_future_adapter;
    if (&_swift_concurrency_debug_non_future_adapter) {
        facts.task_starters[1] = _swift_concurrency_debug_non_future_adapter;
    }
    if (&_swift_debug_allocationPoolPointer) facts.metadata_pool = _swift_debug_allocationPoolPointer;
    if (&_IO_list_all) facts.open_files = (uintptr_t)&_IO_list_all;
    dl_iterate_phdr(visit_object, &facts);
    // In a static program, libdispatch's variables are among those of the program.
    if (!facts.dispatch_offset) facts.dispatch_offset = known_dispatch_variables(facts.thread_local_size);
    facts.dispatch_group_class = known_group_class();
    facts.accesses_offset = learn_accesses_offset(facts.thread_local_size);
    return facts;
}

#else

int64_t rp_find_dispatch_variables(uint64_t thread_local_size) {
    (void)thread_local_size;
    return 0;
}

rp_process_facts rp_learn_process_facts(void) {
    return (rp_process_facts){0};
}

#endif

#endif
