#define _GNU_SOURCE
#include "CTracerSystem.h"
#include "exit_record_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// Begins the memory, so that no other file is taken for it. It changes with the layout.
static const uint64_t mark = 0x4C545F4558495432;

lt_exit_record *lt_exit_record_create(int *descriptor)
{
#if defined(__linux__)
    const int file = memfd_create("lifetime-tracer-exit", 0);
    if (file < 0)
        return NULL;
    lt_exit_record *record = MAP_FAILED;
    // A limit on the size of files would end the process otherwise.
    void (*const usual)(int) = signal(SIGXFSZ, SIG_IGN);
    const int cut = ftruncate(file, sizeof *record);
    signal(SIGXFSZ, usual);
    if (cut == 0)
        record = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (record == MAP_FAILED) {
        const int error = errno;
        close(file);
        errno = error;
        return NULL;
    }
    record->mark = mark;
    record->creator = getpid();
    *descriptor = file;
    return record;
#else
    (void)descriptor;
    errno = ENOSYS;
    return NULL;
#endif
}

lt_exit_record *lt_exit_record_open(int descriptor)
{
    const int error = errno;
    lt_exit_record *record = MAP_FAILED;
    struct stat status;
    uint64_t begin = 0;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == sizeof *record
        && pread(descriptor, &begin, sizeof begin, 0) == sizeof begin && begin == mark)
        record = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (record != MAP_FAILED)
        close(descriptor);
    errno = error;
    return record == MAP_FAILED ? NULL : record;
}

int lt_exit_record_creator(const lt_exit_record *record)
{
    return record->creator;
}

lt_exit_state lt_exit_record_state(const lt_exit_record *record)
{
    return atomic_load(&record->state);
}

bool lt_exit_record_change_state(lt_exit_record *record, lt_exit_state from, lt_exit_state to)
{
    uint32_t expected = from;
    return atomic_compare_exchange_strong(&record->state, &expected, to);
}

void lt_exit_record_await_change(const lt_exit_record *record, lt_exit_state from, int milliseconds)
{
    // The other process may end at any time, so this one does not wait for a lock.
    const struct timespec pause = {.tv_nsec = 1000000};
    for (; milliseconds > 0 && atomic_load(&record->state) == from; milliseconds--)
        nanosleep(&pause, NULL);
}

void lt_exit_record_write(
    lt_exit_record *record, uint64_t leaks, const void *text, size_t text_size, const void *json, size_t json_size)
{
    record->leaks = leaks;
    record->text_size = text_size < sizeof record->text ? text_size : sizeof record->text;
    record->json_size = json_size < sizeof record->json ? json_size : sizeof record->json;
    if (record->text_size > 0)
        memcpy(record->text, text, record->text_size);
    if (record->json_size > 0)
        memcpy(record->json, json, record->json_size);
}

uint64_t lt_exit_record_leaks(const lt_exit_record *record)
{
    return record->leaks;
}

// The program may have written anything to the memory, so the sizes are checked.

const uint8_t *lt_exit_record_text(const lt_exit_record *record, size_t *size)
{
    *size = record->text_size < sizeof record->text ? record->text_size : sizeof record->text;
    return record->text;
}

const uint8_t *lt_exit_record_json(const lt_exit_record *record, size_t *size)
{
    *size = record->json_size < sizeof record->json ? record->json_size : sizeof record->json;
    return record->json;
}
