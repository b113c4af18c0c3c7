#ifdef __linux__
#define _GNU_SOURCE

#include "frozen_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// The frozen copy's own /proc/self/maps. It lists exactly the memory that was copied, regardless of what the parent has
// mapped since.

enum {
    READ_AT_ONCE = 16384,
    /// The beginning of a line is enough, including the beginning of the name.
    LINE_SIZE = 256,
    /// Room for the list itself and for other mappings that the search creates meanwhile.
    MORE_MAPPINGS = 16,
};

/// Reads the lines of the file one by one.
typedef struct map_reader {
    rp_frozen_copy *frozen;
    int file;
    size_t at, length;
    char text[READ_AT_ONCE];
} map_reader;

static void open_map(map_reader *reader, rp_frozen_copy *frozen) {
    reader->frozen = frozen;
    reader->at = reader->length = 0;
    reader->file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (reader->file < 0) rp_give_up(frozen, RP_STATE_REFUSED, errno);
}

static bool read_more(map_reader *reader) {
    for (;;) {
        ssize_t got = read(reader->file, reader->text, sizeof reader->text);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) rp_give_up(reader->frozen, RP_STATE_REFUSED, errno);
        reader->at = 0;
        reader->length = (size_t)got;
        return got > 0;
    }
}

/// Reads the beginning of the next line and ends it with a zero byte; returns false at the end of the file.
static bool next_line(map_reader *reader, char line[LINE_SIZE]) {
    size_t length = 0;
    for (;;) {
        if (reader->at == reader->length && !read_more(reader)) return false;
        char next = reader->text[reader->at++];
        if (next == '\n') break;
        if (length < LINE_SIZE - 1) line[length++] = next;
    }
    line[length] = 0;
    return true;
}

static uintptr_t read_hex(const char **at) {
    uintptr_t value = 0;
    for (;; (*at)++) {
        char digit = **at;
        if (digit >= '0' && digit <= '9') {
            value = value << 4 | (uintptr_t)(digit - '0');
        } else if (digit >= 'a' && digit <= 'f') {
            value = value << 4 | (uintptr_t)(digit - 'a' + 10);
        } else {
            return value;
        }
    }
}

static const char *past_field(const char *at) {
    while (*at == ' ') at++;
    while (*at && *at != ' ') at++;
    return at;
}

/// Parses "start-end perms offset device inode name" (proc_pid_maps(5)).
static void read_line(const char *at, rp_mapping *mapping) {
    mapping->start = read_hex(&at);
    if (*at) at++;
    mapping->end = read_hex(&at);
    if (*at) at++;
    mapping->flags = (at[0] == 'r' ? RP_MAPPING_READABLE : 0) | (at[1] == 'w' ? RP_MAPPING_WRITABLE : 0)
        | (at[2] == 'x' ? RP_MAPPING_EXECUTABLE : 0) | (at[3] == 's' ? RP_MAPPING_OF_FILE : 0);
    at = past_field(at);
    at = past_field(at);
    at = past_field(at);
    while (*at == ' ') at++;
    if (*at != '0') mapping->flags |= RP_MAPPING_OF_FILE;
    at = past_field(at);
    while (*at == ' ') at++;
    if (strncmp(at, "[heap]", 6) == 0) {
        mapping->flags |= RP_MAPPING_IS_HEAP;
    } else if (strncmp(at, "[stack]", 7) == 0) {
        mapping->flags |= RP_MAPPING_IS_STACK;
    } else if (*at == '[' && strncmp(at, "[anon:", 6) != 0) {
        // A mapping of the kernel, such as vvar and vvar_vclock. Pages of clocks that the machine does not have cannot
        // be read, regardless of their permissions, and no such mapping contains anything that the search needs.
        mapping->flags &= ~(uint32_t)RP_MAPPING_READABLE;
        mapping->flags |= RP_MAPPING_OF_KERNEL;
    }
}

static uint32_t count_mappings(rp_frozen_copy *frozen) {
    map_reader reader;
    char line[LINE_SIZE];
    uint32_t count = 0;
    open_map(&reader, frozen);
    while (next_line(&reader, line)) count++;
    close(reader.file);
    return count;
}

void rp_read_mappings(rp_frozen_copy *frozen) {
    rp_region list;
    size_t size = (count_mappings(frozen) + MORE_MAPPINGS) * sizeof(rp_mapping);
    rp_reserve(frozen, &list, size);
    rp_grow(frozen, &list, size);
    frozen->process.mappings = (rp_mapping *)list.start;
    map_reader reader;
    char line[LINE_SIZE];
    open_map(&reader, frozen);
    while (next_line(&reader, line)) {
        rp_grow(frozen, &list, (frozen->process.mapping_count + 1) * sizeof(rp_mapping));
        read_line(line, frozen->process.mappings + frozen->process.mapping_count++);
    }
    close(reader.file);
    rp_measure_room(frozen);
    rp_claim(frozen, (rp_range){(uintptr_t)list.start, (uintptr_t)list.start + list.usable});
}

const rp_mapping *rp_mapping_at(const rp_frozen_copy *frozen, uintptr_t address) {
    uint32_t low = 0, high = frozen->process.mapping_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frozen->process.mappings[middle].end <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == frozen->process.mapping_count || address < frozen->process.mappings[low].start) return NULL;
    return frozen->process.mappings + low;
}

bool rp_is_readable(const rp_frozen_copy *frozen, uintptr_t address, size_t size) {
    const rp_mapping *mapping = rp_mapping_at(frozen, address);
    const rp_mapping *behind = frozen->process.mappings + frozen->process.mapping_count;
    // A segment of an ELF file may consist of several mappings: one of the file, and one of memory that is zero at
    // first.
    while (mapping && mapping->flags & RP_MAPPING_READABLE) {
        if (size <= mapping->end - address) return true;
        size -= mapping->end - address;
        address = mapping->end;
        mapping++;
        if (mapping == behind || mapping->start != address) return false;
    }
    return false;
}

bool rp_is_code(const rp_frozen_copy *frozen, uintptr_t address) {
    const rp_mapping *mapping = rp_mapping_at(frozen, address);
    return mapping && mapping->flags & RP_MAPPING_EXECUTABLE;
}

bool rp_may_be_function(const rp_frozen_copy *frozen, uintptr_t word) {
    const rp_mapping *mapping = rp_mapping_at(frozen, word);
    if (!mapping || word == 0) return false;
    return mapping->flags & (RP_MAPPING_EXECUTABLE | RP_MAPPING_OF_FILE);
}

#endif
