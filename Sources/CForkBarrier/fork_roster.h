/// The hooks, monitors and files that need handling around `fork`.

#ifndef FORK_ROSTER_H
#define FORK_ROSTER_H

#include <stdbool.h>

/// Takes the roster's lock, under which no thread waits for anything; does nothing on a forking thread that holds it.
void lt_fork_roster_lock(void);

/// Releases the roster's lock.
void lt_fork_roster_unlock(void);

/// Closes the descriptors that the child must not keep.
void lt_fork_roster_close_files(void);

/// Takes the locks of the hooks and the roster; returns false, holding nothing, if one is taken.
bool lt_fork_roster_take(void);

/// Releases the locks that `lt_fork_roster_take` took, if any.
void lt_fork_roster_give_back(void);

/// Releases the locks in the child, after initialising all monitors again and closing the listed files.
void lt_fork_roster_give_back_in_child(void);

#endif
