// Records: the stored data of live instances.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lt_registry lt_registry;

/// word0: the flags and the id of a live instance, or else the address of the next free record or 0. word1: the
/// context's index (20 bits) and the low bits of the time of birth (44 bits).
typedef struct lt_record {
    uint64_t word0;
    uint64_t word1;
} lt_record;

/// The record belongs to a live instance.
#define LT_LIVE (1ull << 63)
/// The instance was listed or its id was read, so its death is worth remembering.
#define LT_NOTED (1ull << 62)
/// The death must be reported, for the reasons that `WatchReasons` explains.
#define LT_HAS_DEADLINE (1ull << 61)
#define LT_HAS_ANNOTATION (1ull << 60)
#define LT_OWNS_TOKEN (1ull << 59)
#define LT_HAS_ACTION (1ull << 58)
/// All four. Swift does not import a macro that combines so many others.
#define LT_WATCHED (15ull << 58)
/// The instance belongs to a scoped registry, which it retains.
#define LT_SCOPED (1ull << 57)
#define LT_ID_MASK (LT_SCOPED - 1)

enum {
    LT_CONTEXT_BITS = 20,
    LT_TIME_BITS = 44,
    /// Records in a chunk of 256 KiB. Chunks are aligned to their size and never unmapped, so a record can always be
    /// read.
    LT_CHUNK_RECORDS = 16384,
    LT_CHUNK_BYTES = LT_CHUNK_RECORDS * 16,
};

/// Remembers a new chunk; returns false if there are already 8,192, for 134 million records. Must not be called
/// concurrently.
bool lt_add_chunk(const lt_record *chunk);
/// Whether an address of 16 aligned bytes is that of a record.
bool lt_is_record(const lt_record *place);
/// Reads a record that other threads may be writing; returns false if it does not belong to a live instance.
bool lt_read_record(const lt_record *place, lt_record *record);
/// Reads a record; returns false also if the instance does not belong to the registry.
bool lt_read_record_of(const lt_record *place, const lt_registry *registry, lt_record *record);
/// Sets flags in the record of a live instance; returns false if the instance is not there.
bool lt_flag_record(lt_record *place, const lt_registry *registry, uint64_t id, uint64_t flags);
/// Frees a record and links it in front of another.
void lt_link_record(lt_record *place, lt_record *next);
lt_record *lt_next_free(const lt_record *place);
/// Copies the records of a registry's instances up to an id from a chunk; sets a bit in `copied` for each copied
/// record.
size_t lt_copy_chunk(
    const lt_record *chunk, const lt_registry *registry, uint64_t cut, lt_record *output, size_t room,
    uint64_t *copied);
/// A search for the records of a registry's instances whose ids lie in a range.
typedef struct lt_range_search {
    uint64_t first;
    uint64_t last;
    /// Ids that are only counted; an empty range if `first_counted > last_counted`.
    uint64_t first_counted;
    uint64_t last_counted;
    size_t counted;
    /// The found records, and how many there are and may be.
    lt_record *output;
    size_t count;
    size_t room;
} lt_range_search;
/// Continues a search in a chunk from a slot on; returns the slot at which the output was full, or the end.
uint32_t lt_search_range(
    const lt_record *chunk, uint32_t slot, uint32_t end, const lt_registry *registry, lt_range_search *search);
/// The oldest instance of a type: the time of its birth, as in the second words of records, its id, and its record;
/// NULL if none was found.
typedef struct lt_oldest {
    uint64_t time;
    uint64_t id;
    const lt_record *place;
} lt_oldest;
/// Finds the oldest instance of each type of a registry, by the type's position in the registry, in the first slots of
/// a chunk.
void lt_find_oldest(
    const lt_record *chunk, uint32_t end, const lt_registry *registry, lt_oldest *oldest, size_t type_count);
/// Returns the record of a live instance in a chunk; NULL if it is not there.
lt_record *lt_find_record(lt_record *chunk, const lt_registry *registry, uint64_t id);
