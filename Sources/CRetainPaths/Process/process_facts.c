#ifdef __linux__
#define _GNU_SOURCE

#include "CRetainPaths.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
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
};

size_t rp_usable_size(void *block) {
    return malloc_usable_size(block);
}

bool rp_thread_has_arena(void) {
    enum { SMALL = 64, PART_OF_PAGE = 1024 };
    // The pointer is volatile because the compiler would remove the pair of malloc and free.
    void *volatile block = malloc(SMALL);
    bool has_arena = block && malloc_usable_size(block) < PART_OF_PAGE;
    free(block);
    return has_arena;
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

rp_process_facts rp_learn_process_facts(void) {
    rp_process_facts facts = {.thread_id_offset = learn_id_offset()};
    dl_iterate_phdr(visit_object, &facts);
    // A variable for debuggers (swift/Runtime/Concurrency.h, debug_internal), which contains the address.
    const uintptr_t *slab_metadata = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskSlabMetadata");
    if (slab_metadata) facts.task_slab_metadata = *slab_metadata;
    const size_t *task_size = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskSize");
    if (task_size) facts.task_size = *task_size;
    // Likewise a variable for debuggers (stdlib/public/runtime/Metadata.cpp, AllocationPool).
    const uintptr_t *pool = dlsym(RTLD_DEFAULT, "_swift_debug_allocationPoolPointer");
    if (pool) facts.metadata_pool = *pool;
    return facts;
}

#else

rp_process_facts rp_learn_process_facts(void) {
    return (rp_process_facts){0};
}

#endif

#endif
