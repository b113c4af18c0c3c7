/// The files of `Web/`, built into the executable's read-only data.

#ifndef C_WEB_ASSETS_H
#define C_WEB_ASSETS_H

#include <stddef.h>

/// One file of the page. All pointers stay valid, and what they point at unchanged, until the process ends.
struct lt_web_asset {
    /// The path under which it is served, from the root: `/app.js`.
    const char *_Nonnull path;
    /// The value of its `Content-Type`.
    const char *_Nonnull content_type;
    /// Its bytes, not terminated by a zero.
    const unsigned char *_Nonnull bytes;
    /// How many bytes those are.
    size_t size;
};

/// How many files there are.
size_t lt_web_asset_count(void);

/// The file at an index below `lt_web_asset_count()`, in the order of their paths; a null pointer above.
const struct lt_web_asset *_Nullable lt_web_asset_at(size_t index);

#endif
