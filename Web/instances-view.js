// The live instances of a type, or of all.

import { instanceColumns } from './columns.js';
import { choiceField, noMatchNotice, searchField } from './controls.js';
import { h } from './dom.js';
import { bareName, counted } from './format.js';
import { typeName } from './links.js';
import { emptyNotice, tracingSince, whenAnswered } from './notice.js';
import { addressOf } from './route.js';
import { more, shownCount, table } from './table.js';

const STEP = 100;
const VERDICTS = [
  ['', 'any'], ['overdue', 'overdue'], ['orphan-owner', 'owner gone'], ['over-budget', 'over budget'], ['none', 'none'],
];

export function wants({ route }) {
  const { type, verdict, label, sort, order } = route.query;
  const query = { type, verdict, label, sort, order };
  const slot = `instances ${type ?? ''}`;
  return [{ slot, path: '/instances', query, rows: 'instances', show: shownCount(route, STEP) }];
}

export function view(state, actions) {
  const { type } = state.route.query;
  return [
    h('nav.trail', { 'aria-label': 'Trail' },
      h('a', { href: addressOf('types') }, 'Types'), h('span', { 'aria-hidden': true }, '›'),
      type ? h('a', { href: addressOf('instances') }, 'Instances') : 'Instances'),
    h('h1', { tabindex: -1 }, type ? typeName(type) : 'Instances'),
    h('div.controls',
      searchField(state.route, 'label', 'Label', 'part of a label'),
      choiceField(state.route, 'verdict', 'Verdict', VERDICTS)),
    whenAnswered(state, `instances ${type ?? ''}`, 'the instances', actions, data => list(state, data)),
  ];
}

function list(state, data) {
  const { type, verdict, label, sort: by = 'id' } = state.route.query;
  const { order = by === 'age' ? 'desc' : 'asc' } = state.route.query;
  if (data.instances.length === 0) {
    if (verdict || label) return noMatchNotice(state.route, 'live instance', ['verdict', 'label']);
    return type
      ? emptyNotice(`No ${bareName(type)} is live.`, 'All instances born so far have died, as expected.')
      : emptyNotice(`${tracingSince(state)}, nothing live yet.`, 'An instance appears when it is born.');
  }
  return [
    h('p.lead-in', counted(data.total, 'live instance'), verdict || label ? ' matching' : ''),
    table({
      name: 'Instances', columns: instanceColumns(state), rows: data.instances,
      sorted: { by, order }, state,
    }),
    more(data, data.instances.length, STEP),
  ];
}
