// Starts the server of a program that is run with LIFETIME_TRACER in its environment, before `main`.
#pragma once

/// Exported by LifetimeTracerServer. Neither text outlives the call; `token` is null when there is none.
void lifetime_tracer_autostart(const char *_Nonnull address, const char *_Nullable token);

/// Does nothing. A reference to it is what keeps the constructor beside it in a program that is linked from archives.
void lifetime_tracer_autostart_anchor(void);
