// The last deaths of a registry, for a thread that is inside its stripe.
#pragma once
#include "CLifetimeRuntime.h"

/// Like `lt_remember_death`, inside the thread's own stripe.
void remember_death(const lt_registry *registry, lt_death_entry death);
