#ifdef __linux__
#define _GNU_SOURCE

#include "CRetainPaths.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// What can be learnt only where there is more than a copy of memory: malloc's mark of blocks that a thread keeps, and where threads
// have what.

enum {
    /// Static variables of threads are no further from the thread pointer (glibc's surplus is below 2 KiB by default).
    FURTHEST_VARIABLES = 1 << 20,
    /// struct pthread has the thread's number somewhere there (nptl/descr.h: behind tcbhead_t and its padding).
    FIRST_ID_OFFSET = 0x200,
    LAST_ID_OFFSET = 0x400,
};

static uintptr_t mark_of_free_block(size_t size) {
    uintptr_t *volatile block = malloc(size);
    if (!block) return 0;
    volatile uintptr_t *seen = block;
    free(block);
    // The block stays with this thread, and so mapped and as malloc left it: its second word is the mark.
    return seen[1];
}

static uintptr_t learn_tcache_key(void) {
    // A block whose size the thread has enough of is not kept, and has no mark: of several sizes, most are.
    enum { SIZES = 7, FIRST_SIZE = 1000, STEP = 64 };
    uintptr_t marks[SIZES];
    for (int size = 0; size < SIZES; size++) {
        marks[size] = mark_of_free_block(FIRST_SIZE - (size_t)size * STEP);
        for (int before = 0; before < size; before++) {
            if (marks[size] && marks[before] == marks[size]) return marks[size];
        }
    }
    return 0;
}

#if defined(__linux__) && defined(__x86_64__)

int32_t rp_thread_number(void) {
    return (int32_t)syscall(SYS_gettid);
}

static int visit_object(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    rp_process_facts *facts = context;
    if (!object->dlpi_tls_data) return 0;
    uintptr_t pointer = (uintptr_t)__builtin_thread_pointer();
    uintptr_t variables = (uintptr_t)object->dlpi_tls_data;
    // Those of libraries that were loaded later are elsewhere, in malloc's memory.
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

rp_process_facts rp_learn_process_facts(void) {
    rp_process_facts facts = {.tcache_key = learn_tcache_key(), .thread_id_offset = learn_id_offset()};
    dl_iterate_phdr(visit_object, &facts);
    // Made for debuggers (swift/Runtime/Concurrency.h, debug_internal): a variable with the address.
    const uintptr_t *slab_metadata = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskSlabMetadata");
    if (slab_metadata) facts.task_slab_metadata = *slab_metadata;
    const size_t *task_size = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskSize");
    if (task_size) facts.task_size = *task_size;
    // Likewise (stdlib/public/runtime/Metadata.cpp, AllocationPool).
    const uintptr_t *pool = dlsym(RTLD_DEFAULT, "_swift_debug_allocationPoolPointer");
    if (pool) facts.metadata_pool = *pool;
    return facts;
}

#else

rp_process_facts rp_learn_process_facts(void) {
    return (rp_process_facts){.tcache_key = learn_tcache_key()};
}

#endif

#endif
