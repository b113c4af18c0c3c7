// Starts the server of a program that is run with LIFETIME_TRACER in its environment, and the recording of creation stacks
// with LIFETIME_TRACER_STACKS, before `main`.
#pragma once

/// Exported by LifetimeTracerServer. Neither text outlives the call; `token` is null when there is none.
void lifetime_tracer_autostart(const char *_Nonnull address, const char *_Nullable token);

/// Exported by LifetimeTracerServer. The text does not outlive the call.
void lifetime_tracer_autostart_stacks(const char *_Nonnull value);

/// Does nothing. A reference to it is what keeps the constructor beside it in a program that is linked from archives.
void lifetime_tracer_autostart_anchor(void);
