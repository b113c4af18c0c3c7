// A hash table from addresses to handles, in parts with a lock each.
//
// Both are stored inverted, so that the table holds neither references to the objects nor copies of the handles that a
// search for retain paths looks for. An entry without a key is empty, so its key is written last, and a part has its
// entries in one piece with their number: a search that meets the middle of a change reads no wrong pair.
#include "atomics.h"
#include "lt_handle_table.h"

#include <CForkBarrier.h>
#include <pthread.h>
#include <stdlib.h>

enum { PARTS = 16, FIRST_SIZE = 64 };

typedef struct entry {
    /// 0 if the entry is empty.
    uint64_t key;
    uint64_t handle;
} entry;

typedef struct entries {
    uint32_t size, count;
    entry list[];
} entries;

static struct part {
    _Alignas(64) pthread_mutex_t lock;
    /// NULL until the first object.
    entries *entries;
} parts[PARTS] = {[0 ... PARTS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static uint64_t hash(uint64_t key) { return key * 0x9E3779B97F4A7C15ull; }

static struct part *lock_part(uint64_t key) {
    struct part *part = &parts[hash(key) >> 60];
    // A thread of a fork child would wait forever for a lock that a thread of the parent held at the fork.
    lt_fork_enter();
    pthread_mutex_lock(&part->lock);
    return part;
}

static void unlock(struct part *part) {
    pthread_mutex_unlock(&part->lock);
    lt_fork_leave();
}

static uint32_t place_of(const entries *entries, uint64_t key) {
    uint32_t place = (uint32_t)(hash(key) >> 28) & (entries->size - 1);
    while (entries->list[place].key && entries->list[place].key != key) place = (place + 1) & (entries->size - 1);
    return place;
}

static void fill(entry *place, entry filled) {
    // Stored after an earlier key was cleared, and before the new key.
    STORE_RELEASE(&place->handle, filled.handle);
    STORE_RELEASE(&place->key, filled.key);
}

static bool has_room(struct part *part) {
    entries *old = part->entries;
    if (old && old->count * 2 < old->size) return true;
    const uint32_t size = old ? old->size * 2 : FIRST_SIZE;
    entries *larger = calloc(1, sizeof *larger + size * sizeof(entry));
    if (!larger) return false;
    larger->size = size;
    for (uint32_t place = 0; old && place < old->size; place++) {
        if (!old->list[place].key) continue;
        larger->list[place_of(larger, old->list[place].key)] = old->list[place];
        larger->count++;
    }
    STORE_RELEASE(&part->entries, larger);
    free(old);
    return true;
}

lt_handle lt_put_handle(uintptr_t object, lt_handle handle, bool *is_kept) {
    const uint64_t key = ~(uint64_t)object;
    struct part *part = lock_part(key);
    lt_handle earlier = 0;
    *is_kept = has_room(part);
    if (*is_kept) {
        entry *found = &part->entries->list[place_of(part->entries, key)];
        if (found->key) earlier = ~found->handle;
        else part->entries->count++;
        fill(found, (entry){key, ~handle});
    }
    unlock(part);
    return earlier;
}

static void clear(entries *entries, uint32_t place) {
    STORE_RELEASE(&entries->list[place].key, 0);
    entries->count--;
    // The entries behind it move up, so that their searches do not end at the gap (Knuth, The Art of Computer
    // Programming 3, 6.4, algorithm R).
    const uint32_t mask = entries->size - 1;
    for (uint32_t next = (place + 1) & mask; entries->list[next].key; next = (next + 1) & mask) {
        const uint32_t home = (uint32_t)(hash(entries->list[next].key) >> 28) & mask;
        if (((next - home) & mask) < ((next - place) & mask)) continue;
        fill(&entries->list[place], entries->list[next]);
        STORE_RELEASE(&entries->list[next].key, 0);
        place = next;
    }
}

lt_handle lt_take_handle(uintptr_t object) {
    const uint64_t key = ~(uint64_t)object;
    struct part *part = lock_part(key);
    lt_handle handle = 0;
    if (part->entries) {
        const uint32_t place = place_of(part->entries, key);
        if (part->entries->list[place].key) {
            handle = ~part->entries->list[place].handle;
            clear(part->entries, place);
        }
    }
    unlock(part);
    return handle;
}

void lt_visit_handles(void (*visit)(void *context, uintptr_t object, lt_handle handle), void *context) {
    for (int index = 0; index < PARTS; index++) {
        const entries *entries = parts[index].entries;
        for (uint32_t place = 0; entries && place < entries->size; place++) {
            const entry *each = &entries->list[place];
            if (each->key) visit(context, (uintptr_t)~each->key, ~each->handle);
        }
    }
}
