/// A stress test of the protocol between the owner of a stripe and other threads.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "RefuseMembarrier.h"

struct stripe_stress {
    /// Threads that enter a stripe of their own.
    int owners;
    /// Threads that claim the stripes, one by one and all together.
    int claimers;
    /// How often each claimer claims all stripes.
    uint64_t rounds;
    /// Whether threads yield at random points of the protocol.
    bool has_yields;
    /// Whether the run ends when two threads first meet in a stripe.
    bool ends_early;
};

/// What the threads saw.
struct stripe_stress_outcome {
    /// How often a thread met another one in a stripe.
    uint64_t meetings;
    /// The number of changes that were lost.
    uint64_t lost;
    uint64_t visits;
    uint64_t claims;
};

/// Lets the threads run against each other; one run at a time.
struct stripe_stress_outcome stripe_stress_run(struct stripe_stress plan);

/// The number of processors that the threads of the process may use.
int stripe_stress_processors(void);
