// The samples of the charts: first the server's history, then one per tick.

/** Seconds of history requested at first. */
export const LONGEST_RANGE = 600;
/** Seconds kept: a paused chart keeps its data. */
const KEPT = 2 * LONGEST_RANGE;

/** The sample of a tick. */
export function sampleOf({ summary: { time, instances, tokens, verdicts }, top }) {
  const { live, born, died } = instances;
  return {
    time, at: Date.parse(time), live, born, died, tokens: tokens.inForce, overdue: verdicts.overdue,
    counts: new Map(top.map(one => [one.type, one.live])),
  };
}

/** The samples of the server's history; a type missing in a sample is not counted. */
export function samplesOf({ types, samples }) {
  return samples.map(({ byType, rest, ...sample }) => ({
    ...sample, at: Date.parse(sample.time),
    counts: new Map(types.map((type, index) => [type, byType[index]]).filter(([, count]) => count !== null)),
  }));
}

/** Merges samples of two sources by time, without duplicates and old ones. */
export function merged(past, recent) {
  const last = past.at(-1)?.at ?? -Infinity;
  // Mostly one sample follows all others.
  const all = recent.length === 1 && recent[0].at > last
    ? [...past, ...recent]
    : [...new Map([...past, ...recent].map(sample => [sample.at, sample])).values()].sort((a, b) => a.at - b.at);
  const oldest = all.length > 0 ? all.at(-1).at - KEPT * 1000 : 0;
  const first = all.findIndex(sample => sample.at >= oldest);
  return first > 0 ? all.slice(first) : all;
}
