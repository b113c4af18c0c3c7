"""The longest time that a test waits for an event."""

import time

# This limit detects hangs; it does not test speed. A busy machine may need most of it.
PATIENCE_SECONDS = 90


def until(page, holds):
    """Waits until `holds()` returns a true value, and returns it; for conditions that `expect` does not support."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not (answer := holds()) and time.monotonic() < end:
        page.wait_for_timeout(50)
    return answer
