// A small chart for a row, without a scale.

import { h } from './dom.js';

const HEIGHT = 20;

/** Draws the numbers of a trend and then the current number. `words` is the label for screen readers. */
export function sparkline(trend, now, words) {
  const values = [...trend, now];
  if (values.length < 2) return null;
  const top = Math.max(1, ...values);
  const y = value => Math.round((1 - value / top) * (HEIGHT - 2) * 10) / 10 + 1;
  const line = values.map((value, index) => `${index},${y(value)}`).join('L');
  return h('svg.spark', {
    viewBox: `0 0 ${values.length - 1} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': words,
  },
    h('path.area', { d: `M0,${HEIGHT}L${line}V${HEIGHT}Z` }), h('path', { d: `M${line}` }));
}
