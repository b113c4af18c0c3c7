/// Who has something to do around `fork`: hooks, monitors and files.

#ifndef FORK_ROSTER_H
#define FORK_ROSTER_H

#include <stdbool.h>

/// Takes the lock of the roster, under which nobody waits for anything; on a forking thread that holds it, without
/// effect.
void roster_lock(void);

/// Gives it back.
void roster_unlock(void);

/// Closes what the child is not to have.
void roster_close_files(void);

/// Takes what the hooks guard, and holds the roster itself; false if something is taken, and then holds nothing.
bool roster_take(void);

/// Gives back what `roster_take` took, if it did.
void roster_give_back(void);

/// The same in the child, where all monitors become as new and some files are closed.
void roster_give_back_in_child(void);

#endif
