// A small library of C that keeps callbacks with their contexts, as libraries of C do.
#pragma once

typedef void (*rs_callback)(void *context);

/// Keeps a callback and its context in a place of a table; both NULL empty the place.
void rs_keep_callback(int place, rs_callback callback, void *context);

/// Returns the context in a place of the table.
void *rs_context_of_callback(int place);
