#define _GNU_SOURCE
#include "CTracerAgent.h"

#if defined(__linux__)
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void constructor(int count, char **words, char **environment);

static constructor **place;
static constructor *first_constructor;
static uintptr_t read_only_start, read_only_end;
static void (*function)(void);

/// Writes to the program's table of constructors, which the loader has made read-only.
static bool write_place(constructor *value)
{
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)place & ~(size - 1);
    const bool is_read_only = page >= read_only_start && page < read_only_end;
    if (is_read_only && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    *place = value;
    // If the page stays writable, nothing but its protection is lost.
    if (is_read_only)
        (void)mprotect((void *)page, size, PROT_READ);
    return true;
}

static void begin_program(int count, char **words, char **environment)
{
    write_place(first_constructor);
    function();
    first_constructor(count, words, environment);
}

/// Finds the table of constructors of the first object, which is the program, and ends the iteration.
static int find_place(struct dl_phdr_info *program, size_t size, void *unused)
{
    (void)size, (void)unused;
    const ElfW(Dyn) *entry = NULL;
    for (size_t index = 0; index < program->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[index];
        const uintptr_t start = program->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)start;
        if (segment->p_type == PT_GNU_RELRO) {
            const uintptr_t mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
            read_only_start = start & ~mask;
            read_only_end = (start + segment->p_memsz) & ~mask;
        }
    }
    ElfW(Addr) table = 0, length = 0;
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_INIT_ARRAY)
            table = program->dlpi_addr + entry->d_un.d_ptr;
        if (entry->d_tag == DT_INIT_ARRAYSZ)
            length = entry->d_un.d_val;
    }
    if (table != 0 && length >= sizeof(constructor *))
        place = (constructor **)table;
    return 1;
}

bool lt_agent_call_before_program(void (*body)(void))
{
    function = body;
    dl_iterate_phdr(find_place, NULL);
    if (!place)
        return false;
    first_constructor = *place;
    return write_place(begin_program);
}
#else
bool lt_agent_call_before_program(void (*body)(void))
{
    (void)body;
    return false;
}
#endif
