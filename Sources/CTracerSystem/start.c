#include "CTracerSystem.h"

// Written by a constructor before any thread reads it.
static bool is_left_to_agent;

void lt_leave_start_to_agent(void)
{
    is_left_to_agent = true;
}

bool lt_start_is_left_to_agent(void)
{
    return is_left_to_agent;
}
