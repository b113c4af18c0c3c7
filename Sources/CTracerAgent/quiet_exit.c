#define _GNU_SOURCE
#include "CTracerAgent.h"

#if defined(__linux__)
#include <link.h>
#include <string.h>

/// The HTTP library, and the libraries that it alone brings, whose destructors free memory. Each needs the next one.
static const char *const libraries[] = {"libmicrohttpd.so.", "libgnutls.so.", "libp11-kit.so."};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/// What is known of each library.
typedef struct {
    bool is_needed_by_program;
    lt_constructors destructors;
} lt_library;

/// Returns the position of a library in the list, by its file name; LIBRARIES if it is another one.
static size_t position(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t index = 0;
    while (index < LIBRARIES && strncmp(name, libraries[index], strlen(libraries[index])) != 0)
        index++;
    return index;
}

/// Notes the libraries that an object of the program needs.
static void note_needs(const struct dl_phdr_info *object, lt_library *found)
{
    const ElfW(Dyn) *entries = NULL;
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        if (object->dlpi_phdr[index].p_type == PT_DYNAMIC)
            entries = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr);
    }
    const char *names = NULL;
    for (const ElfW(Dyn) *entry = entries; entry && entry->d_tag != DT_NULL; entry++) {
        // The loader has relocated this address, except in objects that it does not relocate.
        const ElfW(Addr) address = entry->d_un.d_ptr;
        if (entry->d_tag == DT_STRTAB)
            names = (const char *)(address < object->dlpi_addr ? object->dlpi_addr + address : address);
    }
    for (const ElfW(Dyn) *entry = entries; names && entry->d_tag != DT_NULL; entry++) {
        const size_t index = entry->d_tag == DT_NEEDED ? position(names + entry->d_un.d_val) : LIBRARIES;
        if (index < LIBRARIES)
            found[index].is_needed_by_program = true;
    }
}

static int inspect(struct dl_phdr_info *object, size_t size, void *pointer)
{
    (void)size;
    lt_library *found = pointer;
    const size_t index = position(object->dlpi_name ? object->dlpi_name : "");
    if (index < LIBRARIES)
        lt_constructors_of(object, LT_DESTRUCTORS, &found[index].destructors);
    else if (!lt_object_contains(object, (uintptr_t)&libraries))
        note_needs(object, found);
    return 0;
}

static void do_nothing(int count, char **words, char **environment)
{
    (void)count, (void)words, (void)environment;
}

void lt_agent_leave_out_destructors(void)
{
    lt_library found[LIBRARIES] = {0};
    dl_iterate_phdr(inspect, found);
    for (size_t library = 0; library < LIBRARIES && !found[library].is_needed_by_program; library++) {
        for (size_t index = 0; index < found[library].destructors.count; index++)
            lt_replace_constructor(&found[library].destructors, index, do_nothing);
    }
}
#else
void lt_agent_leave_out_destructors(void)
{
}
#endif
