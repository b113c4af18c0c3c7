// A plot as SVG. Its paths stretch with the box; texts beside it are HTML.

import { h } from './dom.js';
import { count } from './format.js';
import { sampleAt, WIDTH } from './time-window.js';

const HEIGHT = 200;
/** Milliseconds without a sample that leave a gap, if samples are not further apart. */
const GAP = 5000;

/**
 * A plot: `series` are `{ id, of(sample), from(sample), isFilled }`, drawn between two values; `words` is its
 * accessible name, `figure` the format of its scale.
 */
export function plot({ sight, series, words, pointer, actions, figure = count }) {
  const { seen, x } = sight;
  const top = niceCeiling(Math.max(1, ...series.flatMap(({ of }) => seen.map(of))));
  const y = value => Math.round((1 - value / top) * HEIGHT * 10) / 10;
  const at = sampleAt(sight, pointer).at;
  return [
    h('div.scale', { 'aria-hidden': true }, [top, top / 2, 0].map(value => h('span', figure(value)))),
    h('svg', {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': words,
      tabindex: 0,
      onpointermove: event => actions.pointAt(fraction(event)), onpointerleave: () => actions.pointAt(null),
      onkeydown: event => step(event, pointer, actions), onblur: () => actions.pointAt(null),
    },
      [0, HEIGHT / 2, HEIGHT].map(height => h('line.grid', { key: height, x2: WIDTH, y1: height, y2: height })),
      series.map(one => curve(one, seen, x, y)),
      pointer !== null && h('line.pointer', { x1: x(at), x2: x(at), y2: HEIGHT })),
  ];
}

/**
 * A plot in a box of its own: `figure` formats its values; a series without any value is left out. `common.heading` is
 * the element of its heading, by default an h3.
 */
export function smallChart(title, figure, common, series) {
  const { seen } = common.sight;
  const sample = sampleAt(common.sight, common.pointer);
  const texts = of => seen.map(one => figure(of(one)));
  const drawn = series.filter(({ of }) => seen.some(one => of(one) !== null));
  return h('div.chart.small', { key: title },
    h('div.legend', h(common.heading ?? 'h3', title), drawn.map(({ id, title, of }) =>
      h('span', { key: id, class: id }, steady('b', figure(of(sample)), texts(of)), ` ${title}`))),
    plot({
      ...common, figure, series: drawn.map(one => ({ ...one, of: sample => one.of(sample) ?? 0 })),
      words: `${title}: ${drawn.map(one => `${figure(one.of(sample))} ${one.title}`).join(', ')}.`,
    }));
}

/** A text that changes with the pointer, in the room of the longest of `others`, so that nothing moves. */
export function steady(selector, text, others, props = {}) {
  const widest = others.reduce((longest, one) => one.length > longest.length ? one : longest, '');
  return h(selector, { ...props, 'data-widest': widest }, text);
}

/** The next round even number, so that its half is whole. */
function niceCeiling(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  const candidates = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10, 20].map(factor => Math.round(factor * unit));
  return candidates.find(candidate => candidate >= value && candidate % 2 === 0);
}

/** A series; none if it is all zero; with gaps where samples are missing. */
function curve({ id, of, from = () => 0, isFilled }, seen, x, y) {
  if (seen.every(sample => of(sample) === from(sample))) return null;
  const usual = (seen.at(-1).at - seen[0].at) / seen.length;
  const pieces = [];
  seen.forEach((sample, index) => {
    if (index === 0 || sample.at - seen[index - 1].at > Math.max(GAP, 3 * usual)) pieces.push([]);
    pieces.at(-1).push(sample);
  });
  const line = (piece, value) => piece.map(sample => `${x(sample.at)},${y(value(sample))}`).join('L');
  const closed = piece => `M${line(piece, of)}L${line(piece.toReversed(), from)}Z`;
  return h('g', { key: id, class: `curve ${id}` },
    isFilled && h('path.area', { d: pieces.map(closed).join('') }),
    h('path', { d: pieces.map(piece => `M${line(piece, of)}`).join('') }));
}

function fraction(event) {
  const box = event.currentTarget.getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
}

/** Arrow keys move the pointer. */
function step(event, pointer, actions) {
  const by = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
  if (!by) return;
  event.preventDefault();
  actions.pointAt(Math.min(1, Math.max(0, (pointer ?? 1) + by)));
}
