// The samples that a chart shows, and the positions of times.

import { spanOf } from './controls.js';
import { LONGEST_RANGE } from './history.js';

export const WIDTH = 1000;
/** The time spans of a chart. */
export const RANGE = {
  name: 'range', usual: LONGEST_RANGE, spans: [[120, '2 min'], [LONGEST_RANGE, '10 min'], [3600, '1 h']],
};
/** The least range, so that a young process is no sliver. */
const SHORTEST_RANGE = 60;
/** The most points drawn; more would only cost time. */
const POINTS = 300;

/** The range in the URL: seconds, and the time of a pause or null. */
export function rangeOf(route) {
  const until = Number(route.query.until);
  return { range: spanOf(route, RANGE), until: until > 0 ? until : null };
}

/** The visible samples, thinned out, and their time scale. */
export function inSight(samples, { range, until }) {
  const past = until === null ? samples : samples.filter(sample => sample.at <= until);
  const all = past.length > 1 ? past : samples;
  const end = all.at(-1).at;
  const start = Math.max(end - range * 1000, Math.min(all[0].at, end - SHORTEST_RANGE * 1000));
  const seen = thinned(all.filter(sample => sample.at >= start), (end - start) / POINTS);
  const x = at => Math.round((at - start) / (end - start) * WIDTH * 10) / 10;
  return { seen, start, end, x };
}

/** The last sample of each step. Steps are fixed on the clock, so that points stay still. */
function thinned(samples, width) {
  if (samples.length <= POINTS) return samples;
  const step = Math.ceil(width / 1000) * 1000;
  const of = sample => Math.floor(sample.at / step);
  return samples.filter((sample, index) => index + 1 === samples.length || of(samples[index + 1]) !== of(sample));
}

/** The sample at the pointer, else the newest. */
export function sampleAt({ seen, start, end }, pointer) {
  if (pointer === null) return seen.at(-1);
  const at = start + pointer * (end - start);
  return seen.reduce((best, sample) => Math.abs(sample.at - at) < Math.abs(best.at - at) ? sample : best);
}
