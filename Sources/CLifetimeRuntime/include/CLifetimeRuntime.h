// The part of the registry's storage that must be C: the thread-local pointer to a thread's stripe, the cycle counter,
// and the words of records, which threads read while others write them. All code that is not needed at every birth and
// death is in Swift (Sources/LifetimeTracer/Storage).
//
// Terms: a *record* is the stored data of a live instance, 16 bytes. A *stripe* belongs to one thread at a time and
// holds that thread's counters and free records; except for snapshots, only that thread uses it. A
// *context* is an interned combination of type, creation site and creation stack in one registry. A *handle* is the 8
// bytes that an object carries.
#pragma once

#include "lt_births.h"
#include "lt_deaths.h"
#include "lt_handle_table.h"
#include "lt_handles.h"
#include "lt_records.h"
#include "lt_registries.h"
#include "lt_stacks.h"
#include "lt_stripes.h"
#include "lt_time.h"
#include "lt_trailer.h"
