#define _GNU_SOURCE
#include "constructors.h"

#if defined(__linux__)
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

bool lt_object_contains(const struct dl_phdr_info *object, uintptr_t address)
{
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type == PT_LOAD && address - (object->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
            return true;
    }
    return false;
}

bool lt_constructors_of(const struct dl_phdr_info *object, lt_constructor_kind kind, lt_constructors *result)
{
    const ElfW(Dyn) *entry = NULL;
    result->read_only_start = result->read_only_end = 0;
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)start;
        if (segment->p_type == PT_GNU_RELRO) {
            const uintptr_t mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
            result->read_only_start = start & ~mask;
            result->read_only_end = (start + segment->p_memsz) & ~mask;
        }
    }
    ElfW(Addr) table = 0, length = 0;
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == (kind == LT_CONSTRUCTORS ? DT_INIT_ARRAY : DT_FINI_ARRAY))
            table = object->dlpi_addr + entry->d_un.d_ptr;
        if (entry->d_tag == (kind == LT_CONSTRUCTORS ? DT_INIT_ARRAYSZ : DT_FINI_ARRAYSZ))
            length = entry->d_un.d_val;
    }
    result->count = length / sizeof(lt_constructor *);
    if (table == 0 || result->count == 0)
        return false;
    result->entries = (lt_constructor **)table;
    return true;
}

bool lt_replace_constructor(const lt_constructors *table, size_t index, lt_constructor *constructor)
{
    lt_constructor **place = &table->entries[index];
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)place & ~(size - 1);
    const bool is_read_only = page >= table->read_only_start && page < table->read_only_end;
    if (is_read_only && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    *place = constructor;
    // If the page stays writable, nothing but its protection is lost.
    if (is_read_only)
        (void)mprotect((void *)page, size, PROT_READ);
    return true;
}

/// The runtime's own function, whose address tells where the runtime is.
extern void *swift_retain(void *);

static void (*waiting)(void);
static lt_constructors constructors;
static lt_constructor *last_constructor;

static void end_constructors(int count, char **words, char **environment)
{
    lt_replace_constructor(&constructors, constructors.count - 1, last_constructor);
    last_constructor(count, words, environment);
    waiting();
}

/// Ends the iteration at the object that contains the runtime, with 1 if it contains the caller, too.
static int find_runtime(struct dl_phdr_info *object, size_t size, void *caller)
{
    (void)size;
    if (!lt_object_contains(object, (uintptr_t)&swift_retain))
        return 0;
    const bool is_static = lt_object_contains(object, (uintptr_t)caller);
    return is_static && lt_constructors_of(object, LT_CONSTRUCTORS, &constructors) ? 1 : 2;
}

/// Lets a function wait for the last constructor of the caller's object. Returns whether it does.
static bool wait_for_last(void (*body)(void), void (*caller)(void))
{
    if (waiting || dl_iterate_phdr(find_runtime, (void *)caller) != 1)
        return false;
    last_constructor = constructors.entries[constructors.count - 1];
    if ((uintptr_t)last_constructor == (uintptr_t)caller
        || !lt_replace_constructor(&constructors, constructors.count - 1, end_constructors))
        return false;
    waiting = body;
    return true;
}

void lt_call_with_runtime(void (*body)(void), void (*caller)(void))
{
    if (!wait_for_last(body, caller))
        body();
}
#else
void lt_call_with_runtime(void (*body)(void), void (*caller)(void))
{
    (void)caller;
    body();
}
#endif
