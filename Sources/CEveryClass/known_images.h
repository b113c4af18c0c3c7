// The images whose slots have all been replaced, so that they need not be searched again when a library is loaded.
#pragma once

#include "images.h"

#if defined(__linux__)
/// What tells an image apart from another one that is loaded in its place later: its addresses, and those of its
/// tables, with the numbers of relocations.
typedef struct lt_image_identity {
    lt_image image;
    const void *names, *symbols, *relocations[2];
    size_t counts[2];
} lt_image_identity;

typedef struct lt_known_image {
    lt_image_identity identity;
    /// The slots of the image, in the list of all slots.
    size_t first_slot, slot_count;
} lt_known_image;

/// A slot, and the address that it got.
typedef struct lt_known_slot {
    void **slot;
    void *value;
} lt_known_slot;

enum { LT_MOST_KNOWN_SLOTS = 4096 };
typedef struct lt_known_images {
    lt_known_image list[LT_MOST_IMAGES];
    size_t count;
    lt_known_slot slots[LT_MOST_KNOWN_SLOTS];
    size_t slot_count;
    /// Whether the last image in the list is being searched.
    bool is_open;
} lt_known_images;

/// Returns a known image if all of its slots still have the addresses that they got; else NULL. The image must be
/// loaded.
///
/// The loader fills the slots of an image that is loaded again, or that replaces another one.
const lt_known_image *lt_find_known_image(const lt_known_images *known, const lt_image_identity *identity);
/// Adds a known image of another list, with its slots. Without room, the image is not added.
void lt_keep_known_image(lt_known_images *known, const lt_known_images *others, const lt_known_image *image);
/// Adds an image, whose slots the next calls add. Without room for all of them, the image is not added.
void lt_open_known_image(lt_known_images *known, const lt_image_identity *identity);
void lt_add_known_slot(lt_known_images *known, void **slot, void *value);
/// Ends the search of the image, which is added if the search has succeeded.
void lt_close_known_image(lt_known_images *known, bool has_succeeded);
void lt_forget_known_images(lt_known_images *known);
#endif
