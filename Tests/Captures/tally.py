"""The figures of many captures of one kind of program."""

import collections
import os
import statistics


class Tally:
    """Counts captures, leaks and times."""

    def __init__(self):
        self.captures = self._partial = self._dropped = 0
        self._leaks = collections.Counter()
        self._pauses, self._durations = [], []
        self._work = collections.Counter()

    def add(self, capture):
        self.captures += 1
        self._partial += capture.obstacle is not None
        self._dropped += capture.dropped
        for leak in capture.unexpected_leaks:
            self._leaks["certain" if leak["kind"] == "cycle" else "uncertain"] += leak["count"]
        self._pauses.append(capture.pause)
        self._durations.append(capture.duration)

    def note_work(self, done):
        """Adds what a program has done meanwhile."""
        self._work.update(done)

    def summary(self):
        """The figures in a sentence."""
        work = "".join(f"; {count:,} {what}" for what, count in sorted(self._work.items()))
        if not self.captures:
            return f"no capture{work}"
        return (
            f"{self.captures:,} captures, {self.captures - self._partial:,} complete, {self._partial:,} partial, "
            f"{self._dropped:,} objects dropped; {self._leaks['certain']:,} certain and "
            f"{self._leaks['uncertain']:,} uncertain leaks; median time {statistics.median(self._durations):,.0f} ms; "
            f"pause {statistics.median(self._pauses):,.1f} ms in the median, {max(self._pauses):,.1f} ms at worst"
            f"{work}; load average {os.getloadavg()[0]:.1f}")
