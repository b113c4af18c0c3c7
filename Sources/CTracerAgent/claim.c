#include <CTracerSystem.h>

/// Takes the start of the server over from the library's own constructor, which would ignore the agent's conditions.
///
/// The priority is the highest that a program may use, so this constructor runs before the library's.
__attribute__((constructor(101))) static void claim_start(void)
{
    lt_leave_start_to_agent();
}
