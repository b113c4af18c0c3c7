#define _GNU_SOURCE
#include "CTracerAgent.h"

#if defined(__linux__)
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// The libraries that the agent brings, with those that they bring.
static const char *const libraries[] = {
    "libmicrohttpd.so.", "libgnutls.so.", "libp11-kit.so.", "libnettle.so.", "libhogweed.so.", "libgmp.so.",
    "libunistring.so.", "libidn2.so.", "libtasn1.so.",
};

static bool is_listed(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : "";
    for (size_t index = 0; index < sizeof libraries / sizeof *libraries; index++) {
        if (strncmp(name, libraries[index], strlen(libraries[index])) == 0)
            return true;
    }
    return false;
}

/// Whether the loader has changed code of an object, which is then no longer that of the file.
static bool has_changed_code(const struct dl_phdr_info *object)
{
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        if (object->dlpi_phdr[index].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL))
                return true;
        }
    }
    return false;
}

static int return_code(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!lt_object_contains(object, (uintptr_t)&libraries) && !is_listed(object->dlpi_name))
        return 0;
    if (has_changed_code(object))
        return 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W)
            continue;
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        // Whole pages, of which no other segment has a part.
        const uintptr_t first = (start + page - 1) & ~(page - 1), last = end & ~(page - 1);
        if (first < last)
            (void)madvise((void *)first, last - first, MADV_DONTNEED);
    }
    return 0;
}

void lt_agent_return_code_pages(void)
{
    dl_iterate_phdr(return_code, NULL);
}
#else
void lt_agent_return_code_pages(void)
{
}
#endif
