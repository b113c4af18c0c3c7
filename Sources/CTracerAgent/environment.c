#define _GNU_SOURCE
#include "CTracerAgent.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// A program may define functions such as `getenv` and `unsetenv` itself, as GNU bash does, and this library's calls
// would lead to them before their code is initialized. So this file reads and changes the list of variables itself.

extern char **environ;

/// Returns the first entry of a list that equals the agent's path; null if there is none. The loader accepts both
/// colons and spaces between entries.
static char *find_entry(char *list, const char *path)
{
    const size_t length = strlen(path);
    for (char *entry = list; *entry != 0;) {
        const size_t size = strcspn(entry, ": ");
        if (size == length && memcmp(entry, path, length) == 0)
            return entry;
        entry += size;
        if (*entry != 0)
            entry++;
    }
    return NULL;
}

/// Whether a variable, with its value, has a name.
static bool is_named(const char *variable, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

/// Whether a variable, with its value, is one of the tracer's.
static bool is_of_tracer(const char *variable, const char *unused)
{
    (void)unused;
    static const char prefix[] = "LIFETIME_TRACER";
    return strncmp(variable, prefix, sizeof prefix - 1) == 0 && strchr(variable, '=') != NULL;
}

/// Removes variables from the list, in a single pass.
static void remove_variables(bool (*is_removed)(const char *, const char *), const char *name)
{
    char **kept = environ;
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
        if (!is_removed(*variable, name))
            *kept++ = *variable;
    }
    if (kept != NULL)
        *kept = NULL;
}

void lt_agent_leave_preload_list(void)
{
    static const char name[] = "LD_PRELOAD";
    Dl_info agent;
    char **variable = environ;
    while (variable != NULL && *variable != NULL && !is_named(*variable, name))
        variable++;
    if (variable == NULL || *variable == NULL)
        return;
    if (dladdr((const void *)&find_entry, &agent) == 0 || agent.dli_fname == NULL)
        return;
    if (strcmp(*variable + sizeof name, agent.dli_fname) == 0) {
        remove_variables(is_named, name);
        return;
    }
    // The system shows the first list in /proc, so it stays as it is.
    char *copy = strdup(*variable);
    char *list = copy == NULL ? NULL : copy + sizeof name;
    char *entry = list == NULL ? NULL : find_entry(list, agent.dli_fname);
    if (entry == NULL) {
        free(copy);
        return;
    }
    // The separator before the entry goes as well, or the one behind it if the entry is the first.
    char *end = entry + strlen(agent.dli_fname);
    if (entry > list)
        entry--;
    else if (*end != 0)
        end++;
    memmove(entry, end, strlen(end) + 1);
    *variable = copy;
}

void lt_agent_remove_variable(const char *name)
{
    remove_variables(is_named, name);
}

void lt_agent_remove_variables(void)
{
    remove_variables(is_of_tracer, NULL);
}
