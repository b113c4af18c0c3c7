#ifdef __linux__
#define _GNU_SOURCE

#include "malloc_layout.h"
#include "snapshot.h"

#include <fcntl.h>
#include <unistd.h>

// Most of the memory that is reserved for stacks and arenas was never used. Reading a page of it would cost a page
// fault, so the search asks /proc/self/pagemap first.

enum {
    PAGES_OF_A_WINDOW = 1 << 14,
};

/// The bits for a page that is present or swapped out (Documentation/admin-guide/mm/pagemap.rst of the kernel).
static const uint64_t touched = 3ull << 62;

void rp_open_page_map(rp_snapshot *snapshot) {
    // If the file is missing or not accessible, every page counts as touched.
    snapshot->page_map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    snapshot->page_window = rp_take(snapshot, PAGES_OF_A_WINDOW * sizeof(uint64_t));
}

static bool read_window(rp_snapshot *snapshot, uintptr_t page, uintptr_t end) {
    uintptr_t pages = (end - page) / RP_PAGE;
    if (pages > PAGES_OF_A_WINDOW) pages = PAGES_OF_A_WINDOW;
    ssize_t got = pread(
        snapshot->page_map, snapshot->page_window, pages * sizeof(uint64_t),
        (off_t)(page / RP_PAGE * sizeof(uint64_t)));
    if (got < (ssize_t)sizeof(uint64_t)) return false;
    snapshot->page_window_start = page;
    snapshot->page_window_end = page + (uintptr_t)got / sizeof(uint64_t) * RP_PAGE;
    return true;
}

uintptr_t rp_next_touched_page(rp_snapshot *snapshot, uintptr_t page, uintptr_t end) {
    for (; page < end; page += RP_PAGE) {
        if (page < snapshot->page_window_start || page >= snapshot->page_window_end) {
            if (snapshot->page_map < 0 || !read_window(snapshot, page, end)) return page;
        }
        if (snapshot->page_window[(page - snapshot->page_window_start) / RP_PAGE] & touched) return page;
    }
    return end;
}

#endif
