// Live instances over time as SVG. Paths stretch with their box; words and times stand beside them as HTML.

import { h } from './dom.js';
import { count, minuteOfDay, timeOfDay } from './format.js';
import { LONGEST_RANGE } from './history.js';
import { errorNotice, waitingNotice } from './notice.js';
import { here } from './route.js';

const WIDTH = 1000;
const HEIGHT = 200;
/** A young process is not drawn as a sliver at the right edge. */
const SHORTEST_RANGE = 60;
/** Milliseconds without a sample that leave a gap in the curves. */
const GAP = 5000;

const SERIES = [
  { id: 'live', title: 'live', isFilled: true },
  { id: 'tokens', title: 'tokens in force' },
  { id: 'overdue', title: 'overdue', isFilled: true },
];

/** The chart with its legend, which reads out the moment under the pointer, or else the newest. */
export function chart(state, actions) {
  const range = state.route.query.range === '120' ? 120 : LONGEST_RANGE;
  const { samples, error } = state.history;
  const rangeLink = (seconds, title) => h('a', {
    href: here(state.route, { range: seconds === LONGEST_RANGE ? null : seconds }),
    'aria-current': range === seconds ? 'true' : null,
  }, title);
  return h('section', { 'aria-labelledby': 'chart-title' },
    h('header.section-head',
      h('h2', { id: 'chart-title' }, 'Over time'),
      h('nav.choices', { 'aria-label': 'Time shown' }, rangeLink(120, '2 min'), rangeLink(LONGEST_RANGE, '10 min'))),
    error && errorNotice(error),
    samples.length < 2
      ? waitingNotice('the first two samples')
      : drawing(inSight(samples, range), state.pointer, actions));
}

/** The samples in sight and the scales to draw them in. */
function inSight(samples, range) {
  const points = samples.map(sample => ({ ...sample, at: Date.parse(sample.time) }));
  const end = points.at(-1).at;
  const start = Math.max(end - range * 1000, Math.min(points[0].at, end - SHORTEST_RANGE * 1000));
  const seen = points.filter(point => point.at >= start);
  const top = niceCeiling(Math.max(1, ...seen.map(point => Math.max(point.live, point.tokens, point.overdue))));
  const x = at => Math.round((at - start) / (end - start) * WIDTH * 10) / 10;
  const y = value => Math.round((1 - value / top) * HEIGHT * 10) / 10;
  return { seen, start, end, top, x, y };
}

/** The next round and even number, so that its half is a whole one, too. */
function niceCeiling(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  const candidates = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10, 20].map(factor => Math.round(factor * unit));
  return candidates.find(candidate => candidate >= value && candidate % 2 === 0);
}

function drawing(sight, pointer, actions) {
  const { seen, start, end, top, x } = sight;
  const sample = pointer === null ? seen.at(-1) : nearest(seen, start + pointer * (end - start));
  const timeAt = end - start < 180_000 ? timeOfDay : minuteOfDay;
  return h('div.chart',
    h('div.legend',
      SERIES.map(({ id, title }) => h('span', { key: id, class: id }, h('b', count(sample[id])), ` ${title}`)),
      h('time', { datetime: sample.time }, pointer === null ? 'now' : timeOfDay(sample.time))),
    h('div.scale', { 'aria-hidden': 'true' }, [top, top / 2, 0].map(value => h('span', count(value)))),
    h('svg', {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': inWords(seen),
      onpointermove: event => actions.pointAt(fraction(event)), onpointerleave: () => actions.pointAt(null),
    },
      [0, HEIGHT / 2, HEIGHT].map(y => h('line.grid', { key: y, x2: WIDTH, y1: y, y2: y })),
      SERIES.map(series => curve(series, sight)),
      pointer !== null && h('line.pointer', { key: 'pointer', x1: x(sample.at), x2: x(sample.at), y2: HEIGHT })),
    h('div.times', { 'aria-hidden': 'true' }, [start, (start + end) / 2, end].map(at => h('span', timeAt(at)))));
}

function inWords(seen) {
  const lives = seen.map(sample => sample.live);
  return `Live instances since ${timeOfDay(seen[0].time)}: now ${lives.at(-1)}, `
    + `lowest ${Math.min(...lives)}, highest ${Math.max(...lives)}.`;
}

/** One series; nothing where it is zero throughout, and gaps where nothing was heard. */
function curve({ id, isFilled }, { seen, x, y }) {
  if (seen.every(sample => sample[id] === 0)) return null;
  const pieces = [];
  seen.forEach((sample, index) => {
    if (index === 0 || sample.at - seen[index - 1].at > GAP) pieces.push([]);
    pieces.at(-1).push(`${x(sample.at)},${y(sample[id])}`);
  });
  const closed = piece => `M${piece[0].split(',')[0]},${HEIGHT}L${piece.join('L')}V${HEIGHT}Z`;
  return h('g', { key: id, class: `curve ${id}` },
    isFilled && h('path.area', { key: 'area', d: pieces.map(closed).join('') }),
    h('path', { key: 'line', d: pieces.map(piece => `M${piece.join('L')}`).join('') }));
}

function nearest(seen, at) {
  return seen.reduce((best, sample) => Math.abs(sample.at - at) < Math.abs(best.at - at) ? sample : best);
}

function fraction(event) {
  const box = event.currentTarget.getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
}
