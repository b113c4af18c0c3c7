#define _GNU_SOURCE
#include "CTracerAgent.h"

#if defined(__linux__)
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char library_name[] = "LifetimeTracer";

/// Whether a segment of notes contains the note of the library; see library_note.h.
static bool has_library_note(const char *start, size_t size, size_t alignment)
{
    // Descriptions and the next notes begin at multiples of the alignment.
    const size_t mask = (alignment == 8 ? 8 : 4) - 1;
    size_t offset = 0;
    while (offset < size && size - offset >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, start + offset, sizeof note);
        const size_t name = offset + sizeof note;
        const size_t description = (name + note.n_namesz + mask) & ~mask;
        const size_t end = description + note.n_descsz;
        if (end > size)
            return false;
        if (note.n_namesz == sizeof library_name && memcmp(start + name, library_name, sizeof library_name) == 0)
            return true;
        offset = (end + mask) & ~mask;
    }
    return false;
}

/// Ends the iteration at the first object with a note that is not the agent.
static int inspect(struct dl_phdr_info *object, size_t size, void *result)
{
    (void)size;
    if (lt_object_contains(object, (uintptr_t)&library_name))
        return 0;
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_NOTE)
            continue;
        const char *start = (const char *)(object->dlpi_addr + segment->p_vaddr);
        if (has_library_note(start, segment->p_memsz, segment->p_align)) {
            *(const char **)result = object->dlpi_name;
            return 1;
        }
    }
    return 0;
}

const char *lt_agent_other_copy(void)
{
    const char *path = NULL;
    dl_iterate_phdr(inspect, &path);
    return path;
}
#else
const char *lt_agent_other_copy(void)
{
    return 0;
}
#endif
