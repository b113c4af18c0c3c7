#define _GNU_SOURCE
#include "CTracerAgent.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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

void lt_agent_leave_preload_list(void)
{
    static const char variable[] = "LD_PRELOAD";
    Dl_info agent;
    const char *value = getenv(variable);
    if (value == NULL || dladdr((const void *)&find_entry, &agent) == 0 || agent.dli_fname == NULL)
        return;
    if (strcmp(value, agent.dli_fname) == 0) {
        unsetenv(variable);
        return;
    }
    char *list = strdup(value);
    if (list == NULL)
        return;
    char *entry = find_entry(list, agent.dli_fname);
    if (entry != NULL) {
        // The separator before the entry goes as well, or the one behind it if the entry is the first.
        char *end = entry + strlen(agent.dli_fname);
        if (entry > list)
            entry--;
        else if (*end != 0)
            end++;
        memmove(entry, end, strlen(end) + 1);
        setenv(variable, list, 1);
    }
    free(list);
}

void lt_agent_remove_variables(void)
{
    static const char prefix[] = "LIFETIME_TRACER";
    char **variable = environ;
    while (variable != NULL && *variable != NULL) {
        const char *end = strchr(*variable, '=');
        char *name = NULL;
        if (end != NULL && strncmp(*variable, prefix, sizeof prefix - 1) == 0)
            name = strndup(*variable, (size_t)(end - *variable));
        if (name == NULL) {
            variable++;
            continue;
        }
        // The next variables move up, so the same position is looked at again.
        unsetenv(name);
        free(name);
    }
}
