#include "callbacks.h"

static struct {
    rs_callback callback;
    void *context;
} callbacks[8];

void rs_keep_callback(int place, rs_callback callback, void *context) {
    callbacks[place].callback = callback;
    callbacks[place].context = context;
}

void *rs_context_of_callback(int place) { return callbacks[place].context; }
