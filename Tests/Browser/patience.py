"""How long a test waits for an event before it calls the event missing."""

import time

# A limit for hangs, not for speed: a machine with much other work may need most of it.
PATIENCE_SECONDS = 90


def until(page, holds):
    """Waits until `holds()` answers something true, and returns it; for what `expect` has no words for."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not (answer := holds()) and time.monotonic() < end:
        page.wait_for_timeout(50)
    return answer
