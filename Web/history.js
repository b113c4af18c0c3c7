// The samples behind the chart: the server's past first, then one more a tick.

/** Seconds of the past that are asked for and kept. */
export const LONGEST_RANGE = 600;

/** One sample out of a summary. */
export function sampleOf(summary) {
  const { time, instances, tokens, verdicts } = summary;
  return { time, live: instances.live, tokens: tokens.inForce, overdue: verdicts.overdue };
}

/** Samples of two sources in the order of their times, none twice, none older than what is kept. */
export function merged(past, recent) {
  const byTime = new Map();
  for (const sample of [...past, ...recent]) byTime.set(Date.parse(sample.time), sample);
  const times = [...byTime.keys()].sort((a, b) => a - b);
  const oldest = times.at(-1) - LONGEST_RANGE * 1000;
  return times.filter(time => time >= oldest).map(time => byTime.get(time));
}
