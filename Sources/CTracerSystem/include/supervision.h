// Starting a program as a child process that behaves as if the caller had been replaced by it.
#pragma once

/// Starts a program in a child process, which ends with the calling thread. The child inherits the signal mask and the
/// ignored signals; afterwards the caller blocks all signals.
///
/// Returns the process, or -1 with `errno` set. Must be called before other threads exist.
int lt_start_supervised(
    const char *_Nonnull path, char *_Nullable const *_Nonnull words, char *_Nullable const *_Nonnull environment);

/// Replaces standard input and output by /dev/null, and closes all descriptors except standard error, so that only the
/// program holds them open.
void lt_keep_only_standard_error(void);

/// Lets the calling process be ended by the signals by which users end programs, after the program has ended.
void lt_let_signals_end_this_process(void);

/// The system's name of a signal, for example `Segmentation fault`. Valid until the next call.
const char *_Nonnull lt_signal_name(int number);

/// Ends the process by a signal, without a core file.
_Noreturn void lt_end_by_signal(int number);
