/// Who has something to do around `fork`: hooks and monitors.

#ifndef FORK_ROSTER_H
#define FORK_ROSTER_H

#include <stdbool.h>

/// Takes what the hooks guard, and holds the roster itself; false if something is taken, and then holds nothing.
bool roster_take(void);

/// Gives back what `roster_take` took, if it did.
void roster_give_back(void);

/// The same in the child, where all monitors become as new.
void roster_give_back_in_child(void);

#endif
