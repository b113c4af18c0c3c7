#include "CTracerAgent.h"

#include <fenv.h>

// Written by a constructor, and read later on the same thread.
static fenv_t before_agent;

/// The agent's constructors calculate, which sets flags such as FE_INEXACT. The priority is the highest that a program
/// may use, so this constructor runs before the others.
__attribute__((constructor(101))) static void keep_floating_point(void)
{
    fegetenv(&before_agent);
}

void lt_agent_restore_floating_point(void)
{
    fesetenv(&before_agent);
}
