// Three plots with one pointer: live instances by type, births and deaths, tokens and overdue instances.

import { answerOf } from './answers.js';
import { spanLinks } from './controls.js';
import { h } from './dom.js';
import { bareName, count, minuteOfDay, timeOfDay } from './format.js';
import { LONGEST_RANGE, samplesOf } from './history.js';
import { errorNotice, waitingNotice } from './notice.js';
import { plot, smallChart, steady } from './plot.js';
import { addressOf, here } from './route.js';
import { stackOf } from './stack.js';
import { inSight, RANGE, rangeOf, sampleAt } from './time-window.js';

/** Requests history only for a range longer than the page keeps. */
export function chartWants({ route }) {
  if (rangeOf(route).range <= LONGEST_RANGE) return [];
  return [{ slot: 'history', path: '/history', query: { since: 3600, step: 12 }, every: 6 }];
}

export function chart(state, actions) {
  const asked = rangeOf(state.route);
  const { samples, error } = samplesFor(state, asked);
  return h('section.history', { 'aria-labelledby': 'chart-title' },
    h('header.section-head',
      h('h2', { id: 'chart-title' }, 'Live over time'),
      h('div.choices', spanLinks(state.route, RANGE), pause(state.route, asked, samples))),
    error && errorNotice(error),
    samples.length < 2
      ? waitingNotice('the first two samples')
      : plots(inSight(samples, asked), state.pointer, actions, asked));
}

function samplesFor(state, { range }) {
  if (range <= LONGEST_RANGE) return state.history;
  const { data, error } = answerOf(state, 'history');
  return { samples: data ? samplesOf(data) : [], error };
}

function pause(route, { until }, samples) {
  const href = here(route, { until: until === null ? samples.at(-1)?.at : null });
  return h('a', { href, class: until === null ? null : 'paused' }, until === null ? 'Pause' : 'Resume');
}

function plots(sight, pointer, actions, { until }) {
  const { seen, start, end } = sight;
  const stack = stackOf(seen);
  const sample = sampleAt(sight, pointer);
  const timeAt = end - start < 180_000 ? timeOfDay : minuteOfDay;
  const common = { sight, pointer, actions };
  const rest = until === null ? 'now' : `paused at ${timeOfDay(seen.at(-1).time)}`;
  const rates = ratesOf(seen);
  return h('div.charts',
    h('div.chart',
      h('div.legend',
        stack.map(({ id, type, of, from }) => h('span', { key: id, class: id },
          steady('b', count(of(sample) - from(sample)), [mostOf(seen, one => of(one) - from(one))]), ' ',
          type ? h('a', { href: addressOf('instances', { type }), title: type }, bareName(type)) : 'others')),
        steady('time', pointer !== null ? timeOfDay(sample.time) : rest, [timeOfDay(seen[0].time), rest],
          { datetime: sample.time })),
      plot({ ...common, series: stack, words: inWords(seen) }),
      h('div.times', { 'aria-hidden': true },
        [start, (start + end) / 2, end].map(at => h('span', timeAt(at))))),
    h('div.pair',
      smallChart('Births and deaths a second', value => count(Math.round(value * 10) / 10), common, [
        { id: 'born', title: 'born', of: one => rates.get(one).born },
        { id: 'died', title: 'died', of: one => rates.get(one).died },
      ]),
      smallChart('Tokens and overdue', count, common, [
        { id: 'tokens', title: 'tokens in force', of: one => one.tokens },
        { id: 'overdue', title: 'overdue', isFilled: true, of: one => one.overdue },
      ])));
}

/** The text of the largest value, which is the longest. */
function mostOf(seen, of) {
  return count(Math.max(...seen.map(of)));
}

/** Births and deaths per second before each sample. */
function ratesOf(seen) {
  return new Map(seen.map((sample, index) => {
    const before = seen[index - 1];
    const rate = key => before ? Math.max(0, (sample[key] - before[key]) / (sample.at - before.at) * 1000) : 0;
    return [sample, { born: rate('born'), died: rate('died') }];
  }));
}

function inWords(seen) {
  const lives = seen.map(sample => sample.live);
  return `Live instances since ${timeOfDay(seen[0].time)}: now ${count(lives.at(-1))}, `
    + `lowest ${count(Math.min(...lives))}, highest ${count(Math.max(...lives))}.`;
}
