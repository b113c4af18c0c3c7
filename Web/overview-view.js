// The overview: health, and the leaks with their reasons.

import { answerOf } from './answers.js';
import { chart, chartWants } from './chart.js';
import { h } from './dom.js';
import { counted, duration } from './format.js';
import { headline } from './headline.js';
import { healthOf } from './health.js';
import { emptyNotice, tracingSince, waitingNotice, whenAnswered } from './notice.js';
import { overdueGroups, tokenWants } from './overdue-group.js';
import { addressOf } from './route.js';
import { tokenKinds } from './token-kinds.js';
import { verdictFeed } from './verdict-feed.js';

const GROUPS_SHOWN = 4;
const INSTANCES_SHOWN = 4;

export function wants(state) {
  const leaks = { slot: 'overdue', path: '/overdue' };
  return [leaks, ...chartWants(state), ...tokenWants(groupsOf(answerOf(state, 'overdue').data).slice(0, GROUPS_SHOWN))];
}

export function view(state, actions) {
  const { summary } = state;
  if (!summary) return waitingNotice('the first figures');
  const { level, sentence } = healthOf(summary, state.history.samples);
  const { process: { uptimeSeconds }, types } = summary;
  return [
    h('div', { class: `verdict-line ${level}` },
      h('h1', { tabindex: -1 }, sentence),
      h('p.quiet', `${tracingSince(state)}, ${counted(types, 'type')}, up ${duration(uptimeSeconds)}.`)),
    headline(summary),
    h('div.columns',
      h('div', chart(state, actions), leaks(state, actions)),
      h('div', verdictFeed(state, 5), tokenKinds(summary.tokens))),
  ];
}

function leaks(state, actions) {
  return h('section.leaks', { 'aria-labelledby': 'leaks-title' },
    h('header.section-head',
      h('h2', { id: 'leaks-title' }, 'Overdue instances'),
      h('a', { href: addressOf('overdue') }, 'Overdue and late')),
    whenAnswered(state, 'overdue', 'the overdue instances', actions, data => {
      const groups = groupsOf(data);
      const hidden = groups.length - GROUPS_SHOWN;
      if (groups.length === 0) return nothingOverdue(state, data);
      return [
        overdueGroups(state, groups.slice(0, GROUPS_SHOWN), INSTANCES_SHOWN, actions, { brief: true }),
        hidden > 0 && h('p', h('a', { href: addressOf('overdue') }, counted(hidden, 'more leak'))),
      ];
    }));
}

/** The newest leak first: a user has probably just caused it. */
function groupsOf(data) {
  const newest = group => group.instances.reduce((latest, one) => one.dueAt > latest ? one.dueAt : latest, '');
  return (data?.groups ?? []).filter(group => group.overdue > 0).sort((a, b) => newest(b).localeCompare(newest(a)));
}

function nothingOverdue(state, data) {
  if (state.summary.instances.born === 0) {
    return emptyNotice(`${tracingSince(state)}, nothing live yet.`, 'The first traced object appears here.');
  }
  return emptyNotice('Nothing is overdue.',
    data.late > 0
      ? `${counted(data.late, 'instance')} died after the deadline.`
      : 'An object is overdue when its deadline has passed and it is still live.',
    state.hello?.scenarios && h('a', { href: addressOf('scenarios') }, 'Play a leaking scenario'));
}
