#ifdef __linux__
#define _GNU_SOURCE

#include "frozen_copy.h"

#include <fcntl.h>
#include <unistd.h>

// Most of the memory that is reserved for stacks and arenas was never used. Reading a page of it would cost a page
// fault, so the search asks /proc/self/pagemap first.

enum {
    PAGES_OF_A_WINDOW = 1 << 14,
};

/// The bits for a page that is present or swapped out (Documentation/admin-guide/mm/pagemap.rst of the kernel).
static const uint64_t touched = 3ull << 62;

void rp_open_page_map(rp_frozen_copy *frozen) {
    // If the file is missing or not accessible, every page counts as touched.
    frozen->pages.file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    frozen->pages.window = rp_take(frozen, PAGES_OF_A_WINDOW * sizeof(uint64_t));
}

static bool read_window(rp_frozen_copy *frozen, uintptr_t page, uintptr_t end) {
    uintptr_t pages = (end - page) / RP_PAGE;
    if (pages > PAGES_OF_A_WINDOW) pages = PAGES_OF_A_WINDOW;
    ssize_t got = pread(
        frozen->pages.file, frozen->pages.window, pages * sizeof(uint64_t),
        (off_t)(page / RP_PAGE * sizeof(uint64_t)));
    if (got < (ssize_t)sizeof(uint64_t)) return false;
    frozen->pages.window_start = page;
    frozen->pages.window_end = page + (uintptr_t)got / sizeof(uint64_t) * RP_PAGE;
    return true;
}

uintptr_t rp_next_touched_page(rp_frozen_copy *frozen, uintptr_t page, uintptr_t end) {
    for (; page < end; page += RP_PAGE) {
        if (page < frozen->pages.window_start || page >= frozen->pages.window_end) {
            if (frozen->pages.file < 0 || !read_window(frozen, page, end)) return page;
        }
        if (frozen->pages.window[(page - frozen->pages.window_start) / RP_PAGE] & touched) return page;
    }
    return end;
}

#endif
