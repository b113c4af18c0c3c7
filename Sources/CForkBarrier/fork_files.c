#define _POSIX_C_SOURCE 200809L
#include "CForkBarrier.h"
#include "fork_roster.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct lt_fork_file {
    // -1 in a child that has closed it.
    int descriptor;
    // The identity of the open file, because the number may be reused once the descriptor is closed.
    dev_t device;
    ino_t inode;
    struct lt_fork_file *next;
    struct lt_fork_file *previous;
};

// Protected by the roster's lock.
static struct lt_fork_file *files;

struct lt_fork_file *lt_fork_file_close_in_child(int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return NULL;
    struct lt_fork_file *file = malloc(sizeof *file);
    if (!file)
        return NULL;
    *file = (struct lt_fork_file){.descriptor = descriptor, .device = status.st_dev, .inode = status.st_ino};
    lt_fork_roster_lock();
    file->next = files;
    if (files)
        files->previous = file;
    files = file;
    lt_fork_roster_unlock();
    return file;
}

void lt_fork_file_forget(struct lt_fork_file *file)
{
    lt_fork_roster_lock();
    if (file->previous)
        file->previous->next = file->next;
    else
        files = file->next;
    if (file->next)
        file->next->previous = file->previous;
    lt_fork_roster_unlock();
    free(file);
}

void lt_fork_roster_close_files(void)
{
    for (struct lt_fork_file *file = files; file; file = file->next) {
        struct stat status;
        if (file->descriptor >= 0 && fstat(file->descriptor, &status) == 0 && status.st_dev == file->device
            && status.st_ino == file->inode)
            close(file->descriptor);
        file->descriptor = -1;
    }
}
