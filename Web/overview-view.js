// The overview: health, and the leaks with their reasons.

import { answerOf } from './answers.js';
import { chart, chartWants } from './chart.js';
import { h } from './dom.js';
import { count, counted, duration } from './format.js';
import { headline } from './headline.js';
import { healthOf } from './health.js';
import { knownCount } from './known.js';
import { sitePlace, typeLink } from './links.js';
import { emptyNotice, tracingSince, waitingNotice, whenAnswered } from './notice.js';
import { FOLDED, overdueGroups, tokenWants } from './overdue-group.js';
import { finding, findingWant } from './process-view.js';
import { addressOf, hasScenarios } from './route.js';
import { tokenKinds } from './token-kinds.js';
import { verdictFeed } from './verdict-feed.js';

const GROUPS_SHOWN = 4;

export function wants(state) {
  const leaks = { slot: 'overdue', path: '/overdue', query: { instances: FOLDED } };
  const shown = groupsOf(answerOf(state, 'overdue').data).slice(0, GROUPS_SHOWN);
  return [leaks, findingWant(), ...chartWants(state), ...tokenWants(shown)];
}

export function view(state, actions) {
  const { summary } = state;
  if (!summary) return waitingNotice('the first figures');
  const known = knownCount(state);
  const { level, parts } = healthOf(summary, { known });
  const { process: { uptimeSeconds }, types } = summary;
  return [
    h('div', { class: `verdict-line ${level}` },
      h('h1', { tabindex: -1 }, parts.map(({ words, href }, index) => [
        index > 0 && ', ', h('a', { key: words, href }, words),
      ])),
      h('p.quiet', `${tracingSince(state)}, ${counted(types, 'type')}, up ${duration(uptimeSeconds)}.`),
      growth(state)),
    headline(summary, known),
    finding(answerOf(state, 'finding').data?.finding, { isLinked: true }),
    h('div.columns',
      h('div', chart(state, actions), leaks(state, actions)),
      h('div', verdictFeed(state, 5), tokenKinds(summary.tokens))),
  ];
}

/** What is growing, fastest first, and why that is said. */
function growth({ growth: all, summary: { verdicts } }) {
  if (all.length === 0) return null;
  const hidden = verdicts.growing - all.length;
  return h('ul.growth', { 'aria-label': 'Growing' },
    all.map(({ fingerprint, subject, type, name, reason, site, known }) =>
      h('li', { key: fingerprint },
        subject === 'type' ? typeLink(type) : h('b', name), `: ${reason}.`,
        site && [` Mostly ${subject === 'tokens' ? 'registered' : 'created'} at `, sitePlace(site), '.'],
        known && ` Known: ${known.reason}`)),
    hidden > 0 && h('li', { key: 'hidden' }, `${count(hidden)} more growing.`));
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
        overdueGroups(state, groups.slice(0, GROUPS_SHOWN), actions, { brief: true }),
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
    hasScenarios(state.hello) && h('a', { href: addressOf('scenarios') }, 'Play a leaking scenario'));
}
