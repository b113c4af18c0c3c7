// The lifetimes of recent instances, by type.

import { badge } from './badge.js';
import { noMatchNotice, searchField, spanLinks, spanOf } from './controls.js';
import { h } from './dom.js';
import { count, counted, timeOfDay } from './format.js';
import { bars, WIDTH } from './lane.js';
import { numberLink, typeLink } from './links.js';
import { emptyNotice, tracingSince, whenAnswered } from './notice.js';
import { more, shownCount } from './table.js';

const STEP = 25;
/** The most overdue instances named beside a lane. */
const NAMED = 3;
const SPAN = { name: 'span', usual: 120, spans: [[60, '1 min'], [120, '2 min'], [600, '10 min']] };

export function wants({ route }) {
  const query = { since: spanOf(route, SPAN), filter: route.query.filter };
  return [{ slot: 'timeline', path: '/timeline', query, rows: 'lanes', show: shownCount(route, STEP) }];
}

export function view(state, actions) {
  const { route } = state;
  return [
    h('h1', { tabindex: -1 }, 'Timeline'),
    h('p.lead-in', 'Births and deaths of instances. A thick line marks the time after a deadline.'),
    h('div.controls',
      searchField(route, 'filter', 'Filter', 'name or module'),
      spanLinks(route, SPAN)),
    whenAnswered(state, 'timeline', 'the timeline', actions, data => content(state, data)),
  ];
}

function content(state, data) {
  if (data.lanes.length === 0) {
    return state.route.query.filter
      ? noMatchNotice(state.route, 'type', ['filter'])
      : emptyNotice(`${tracingSince(state)}, no live instance in this period.`,
        'A lane appears with the first traced object.');
  }
  const [from, to] = [Date.parse(data.from), Date.parse(data.to)];
  const milliseconds = time => typeof time === 'number' ? time : Date.parse(time);
  const x = time => Math.round((milliseconds(time) - from) / (to - from) * WIDTH * 10) / 10;
  return [
    h('p.lead-in', totals(data)),
    h('p.legend', [
      ['expected', 'live, as expected'], ['overdue', 'overdue'], ['late', 'late, then gone'],
      ['before', 'live since before'], ['growing', 'growing'], ['unknown', 'not all drawn'],
    ].map(([name, words]) => h('span', { key: name, class: name, 'data-lane': name }, words))),
    h('div.lanes',
      h('div.times', { 'aria-hidden': true },
        [from, (from + to) / 2, to].map(at => h('span', timeOfDay(at)))),
      data.lanes.map(row => lane(state, row, x))),
    h('ul.fine',
      data.deaths === 'noted'
        && h('li', 'Only dead instances that a list had shown, or with recorded data, are drawn.'),
      data.deathsSince !== null && data.deathsSince > data.from
        && h('li', `Deaths before ${timeOfDay(data.deathsSince)} are no longer remembered.`)),
    more(data, data.lanes.length, STEP),
  ];
}

/** The counts of all lanes, drawn or not. */
function totals({ total, totals: { live, overdue, late, died } }) {
  return `${counted(total, 'type')}: ${count(live)} live, ${count(overdue)} overdue; `
    + `${count(died)} died in this period, ${count(late)} of them late.`;
}

function lane(state, row, x) {
  const { type, live, overdue, late, died, hidden, growth, lifetimes } = row;
  const words = `${counted(live, 'instance')} live, ${count(overdue)} overdue, ${count(died)} died in this period`
    + `${growth ? `, growing: ${growth}` : ''}.`;
  const { drawing, overflow } = bars(row, x, words);
  const notDrawn = hidden + overflow;
  return h('section.lane', { key: type, 'aria-label': type },
    h('div.lane-name',
      typeLink(type),
      h('p.fine', `${count(live)} live, ${count(died)} died`,
        late > 0 && [' ', badge('late', late)], overdue > 0 && [' ', badge('overdue', overdue)],
        lifetimes.filter(one => one.overdueAt !== null && one.goneAt === null).slice(0, NAMED)
          .map(({ id }) => [' ', numberLink(state, id, type)])),
      notDrawn > 0 && h('p.fine', `${count(notDrawn)} more not drawn`)),
    drawing);
}
