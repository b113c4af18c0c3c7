#define _GNU_SOURCE
#include "known_images.h"

#if defined(__linux__)
#include <string.h>

static bool has_its_slots(const lt_known_images *known, const lt_known_image *image) {
    for (size_t index = 0; index < image->slot_count; index++) {
        const lt_known_slot *each = &known->slots[image->first_slot + index];
        if (__atomic_load_n(each->slot, __ATOMIC_RELAXED) != each->value) return false;
    }
    return true;
}

const lt_known_image *lt_find_known_image(const lt_known_images *known, const lt_image_identity *identity) {
    for (size_t index = 0; index < known->count; index++) {
        const lt_known_image *image = &known->list[index];
        // The words of an identity have no gaps between them.
        if (memcmp(&image->identity, identity, sizeof *identity) != 0) continue;
        return has_its_slots(known, image) ? image : NULL;
    }
    return NULL;
}

void lt_keep_known_image(lt_known_images *known, const lt_known_images *others, const lt_known_image *image) {
    lt_open_known_image(known, &image->identity);
    for (size_t index = 0; index < image->slot_count; index++) {
        const lt_known_slot *each = &others->slots[image->first_slot + index];
        lt_add_known_slot(known, each->slot, each->value);
    }
    lt_close_known_image(known, true);
}

void lt_open_known_image(lt_known_images *known, const lt_image_identity *identity) {
    if (known->count == LT_MOST_IMAGES) return;
    known->list[known->count] = (lt_known_image){.identity = *identity, .first_slot = known->slot_count};
    known->is_open = true;
}

void lt_add_known_slot(lt_known_images *known, void **slot, void *value) {
    if (!known->is_open) return;
    const size_t place = known->list[known->count].first_slot + known->list[known->count].slot_count;
    if (place == LT_MOST_KNOWN_SLOTS) {
        known->is_open = false;
        return;
    }
    known->slots[place] = (lt_known_slot){slot, value};
    known->list[known->count].slot_count++;
}

void lt_close_known_image(lt_known_images *known, bool has_succeeded) {
    if (!known->is_open) return;
    known->is_open = false;
    if (!has_succeeded) return;
    known->slot_count += known->list[known->count].slot_count;
    known->count++;
}

void lt_forget_known_images(lt_known_images *known) {
    known->count = known->slot_count = 0;
    known->is_open = false;
}
#endif
