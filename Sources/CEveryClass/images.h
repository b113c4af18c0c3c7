// The images of the program, and the slots in their tables of addresses.
#pragma once

#include "CEveryClass.h"

#if defined(__linux__)
#include <link.h>

/// What a replaced function does, in the order in which slots are replaced: no birth is recorded whose death would not
/// be.
typedef enum lt_purpose { LT_FREES, LT_ALLOCATES, LT_LOADS } lt_purpose;

/// A function whose slots are replaced.
typedef struct lt_replacement {
    const char *name;
    /// The address that a slot gets.
    void *hook;
    /// The runtime's function.
    void *real;
    lt_purpose purpose;
} lt_replacement;

/// The addresses of an image.
typedef struct lt_image {
    uintptr_t start, end;
} lt_image;

enum { LT_MOST_IMAGES = 512 };
typedef struct lt_images {
    lt_image list[LT_MOST_IMAGES];
    size_t count;
    size_t refused;
    /// The slots that the last visit has changed.
    size_t changed;
    /// Whether the image that contains this code belongs to the program.
    bool includes_own;
    /// How many images were added to the process and removed from it, by the loader's count.
    unsigned long long added, removed;
} lt_images;

/// Finds the images of the program, replaces their slots, and lists the images. Returns NULL, or the reason why the
/// slots of an image could not be replaced; that image is then not listed.
///
/// The visits are repeated until they change nothing: while a thread calls a function for the first time, the loader
/// writes the function's own address into the slot, perhaps after the hook's.
const char *lt_replace_in_program(lt_images *images, const lt_replacement *replacements, size_t count);
/// Gives the slots of the program's images the addresses of the runtime's functions again.
void lt_restore_in_program(const lt_replacement *replacements, size_t count, bool includes_own);
/// Replaces the slots of the image that contains this code, or restores them.
bool lt_replace_in_own_image(const lt_replacement *replacements, size_t count, bool restores);
/// Whether images were added to the process or removed from it since the list was made.
bool lt_images_changed(const lt_images *images);
/// The addresses of the image that contains an address; empty if there is none.
lt_image lt_image_of(const void *address);
/// The addresses of the image that contains this code.
lt_image lt_own_image(void);

static inline bool lt_is_in_image(const lt_image *image, const void *address) {
    return (uintptr_t)address - image->start < image->end - image->start;
}
static inline bool lt_is_in_images(const lt_images *images, const void *address) {
    for (size_t index = 0; index < images->count; index++) {
        if (lt_is_in_image(&images->list[index], address)) return true;
    }
    return false;
}
#endif
