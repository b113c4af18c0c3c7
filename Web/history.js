// The samples behind the charts: the server's past first, then one more a tick.

/** Seconds of the past that are asked for at first. */
export const LONGEST_RANGE = 600;
/** Seconds that are kept: a chart that was paused goes on showing what it showed. */
const KEPT = 2 * LONGEST_RANGE;
/** Seconds over which the number of live instances is called steady or not, and samples that this takes. */
const OUTLOOK = 120;
const FEWEST = 60;

/** One sample out of a tick. */
export function sampleOf({ summary: { time, instances, tokens, verdicts }, top }) {
  const { live, born, died } = instances;
  return {
    time, at: Date.parse(time), live, born, died, tokens: tokens.inForce, overdue: verdicts.overdue,
    counts: new Map(top.map(one => [one.type, one.live])),
  };
}

/** The samples of the server's history; a type that a sample does not tell of is not among its counts. */
export function samplesOf({ types, samples }) {
  return samples.map(({ byType, rest, ...sample }) => ({
    ...sample, at: Date.parse(sample.time),
    counts: new Map(types.map((type, index) => [type, byType[index]]).filter(([, count]) => count !== null)),
  }));
}

/** Samples of two sources in the order of their times, none twice, none older than what is kept. */
export function merged(past, recent) {
  const last = past.at(-1)?.at ?? -Infinity;
  // Mostly one comes behind all others.
  const all = recent.length === 1 && recent[0].at > last
    ? [...past, ...recent]
    : [...new Map([...past, ...recent].map(sample => [sample.at, sample])).values()].sort((a, b) => a.at - b.at);
  const oldest = all.length > 0 ? all.at(-1).at - KEPT * 1000 : 0;
  const first = all.findIndex(sample => sample.at >= oldest);
  return first > 0 ? all.slice(first) : all;
}

/** Whether the number of live instances is `rising`, `falling` or `steady`, by the last minutes; null when it is too early. */
export function outlookOf(samples) {
  const recent = samples.filter(sample => sample.at >= samples.at(-1).at - OUTLOOK * 1000);
  if (recent.length < FEWEST) return null;
  const third = Math.floor(recent.length / 3);
  const mean = some => some.reduce((sum, { live }) => sum + live, 0) / some.length;
  const [before, now] = [mean(recent.slice(0, third)), mean(recent.slice(-third))];
  if (Math.abs(now - before) <= Math.max(2, before / 5)) return 'steady';
  return now > before ? 'rising' : 'falling';
}
