// Everything overdue, by fingerprint; and, apart from it, what went late.

import { answerOf } from './answers.js';
import { apiPath } from './api.js';
import { h } from './dom.js';
import { counted } from './format.js';
import { emptyNotice, tracingSince, whenAnswered } from './notice.js';
import { lateTable, overdueGroup, tokenWants } from './overdue-group.js';
import { more, shownCount } from './table.js';

const STEP = 50;

export function wants(state) {
  const list = { slot: 'overdue', url: apiPath('/overdue'), rows: 'groups', show: shownCount(state.route, STEP) };
  return [list, ...tokenWants(answerOf(state, 'overdue').data?.groups ?? [])];
}

export function view(state, actions) {
  return [
    h('h1', { tabindex: -1 }, 'Overdue'),
    h('p.lead-in', 'Each had a deadline to be gone by, with a reason. The culprit comes first, then those it holds.'),
    whenAnswered(answerOf(state, 'overdue'), 'what is overdue', actions.retry, data => content(state, data)),
  ];
}

function content(state, data) {
  const groups = data.groups.filter(group => group.overdue > 0);
  const late = data.groups.filter(group => group.late > 0);
  return [
    groups.length === 0
      ? emptyNotice(`${tracingSince(state)}, nothing is overdue.`,
        'A deadline is set when an object leaves its tree, or by expectDeallocation.')
      : groups.map(group => overdueGroup(state, group, 100)),
    more(state, data, data.groups.length, STEP),
    h('section', { key: 'late', 'aria-labelledby': 'late-title' },
      h('header.section-head', h('h2', { id: 'late-title' }, 'Late')),
      h('p.lead-in', data.late === 0
        ? 'Nothing went late.'
        : `${counted(data.late, 'instance')} went after the deadline: slow, but no leak.`),
      late.length > 0 && lateTable(late)),
  ];
}
