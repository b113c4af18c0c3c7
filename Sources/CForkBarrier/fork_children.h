/// The list of fork children, for the handlers around `fork`.

#ifndef FORK_CHILDREN_H
#define FORK_CHILDREN_H

/// Creates the list before the first fork. Must be called by one thread at a time.
void lt_fork_children_prepare(void);

/// Adds the calling process, a new fork child, to the list.
void lt_fork_children_enter(void);

#endif
