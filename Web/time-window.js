// Which samples a chart shows, and where a moment stands in it.

import { spanOf } from './controls.js';
import { LONGEST_RANGE } from './history.js';

export const WIDTH = 1000;
/** The spans of time that a chart can show. */
export const RANGE = { name: 'range', usual: LONGEST_RANGE, spans: [[120, '2 min'], [LONGEST_RANGE, '10 min'], [3600, '1 h']] };
/** A young process is not drawn as a sliver at the right edge. */
const SHORTEST_RANGE = 60;
/** Points that are drawn at most; more would cost time and show no more. */
const POINTS = 300;

/** What the URL asks for: seconds, and the moment at which the chart was paused, or null. */
export function rangeOf(route) {
  const until = Number(route.query.until);
  return { range: spanOf(route, RANGE), until: until > 0 ? until : null };
}

/** The samples in sight, thinned out, and the scale of their times. */
export function inSight(samples, { range, until }) {
  const past = until === null ? samples : samples.filter(sample => sample.at <= until);
  const all = past.length > 1 ? past : samples;
  const end = all.at(-1).at;
  const start = Math.max(end - range * 1000, Math.min(all[0].at, end - SHORTEST_RANGE * 1000));
  const seen = thinned(all.filter(sample => sample.at >= start), (end - start) / POINTS);
  const x = at => Math.round((at - start) / (end - start) * WIDTH * 10) / 10;
  return { seen, start, end, x };
}

/** The last sample of each step. Steps stand still on the clock, so that nothing dances. */
function thinned(samples, width) {
  if (samples.length <= POINTS) return samples;
  const step = Math.ceil(width / 1000) * 1000;
  const of = sample => Math.floor(sample.at / step);
  return samples.filter((sample, index) => index + 1 === samples.length || of(samples[index + 1]) !== of(sample));
}

/** The sample under the pointer, or else the newest. */
export function sampleAt({ seen, start, end }, pointer) {
  if (pointer === null) return seen.at(-1);
  const at = start + pointer * (end - start);
  return seen.reduce((best, sample) => Math.abs(sample.at - at) < Math.abs(best.at - at) ? sample : best);
}
