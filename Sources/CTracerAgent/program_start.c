#define _GNU_SOURCE
#include "CTracerAgent.h"

#if defined(__linux__)
#include <link.h>

static lt_constructors program;
static lt_constructor *first_constructor;
static void (*function)(void);

static void begin_program(int count, char **words, char **environment)
{
    lt_replace_constructor(&program, 0, first_constructor);
    function();
    first_constructor(count, words, environment);
}

/// Finds the constructors of the first object, which is the program, and ends the iteration.
static int find_program(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    return lt_constructors_of(object, LT_CONSTRUCTORS, &program) ? 1 : 2;
}

bool lt_agent_call_before_program(void (*body)(void))
{
    if (dl_iterate_phdr(find_program, NULL) != 1)
        return false;
    function = body;
    first_constructor = program.entries[0];
    return lt_replace_constructor(&program, 0, begin_program);
}
#else
bool lt_agent_call_before_program(void (*body)(void))
{
    (void)body;
    return false;
}
#endif
