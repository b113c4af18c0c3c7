// One leak: its instances, the reason, the times, and the tokens left behind.

import { answerOf } from './answers.js';
import { badge, countBadges } from './badge.js';
import { site } from './columns.js';
import { creationStack } from './creation-stack.js';
import { h } from './dom.js';
import { allowance, bareName, count, counted, duration } from './format.js';
import { instanceLink, labelText, moment, typeName } from './links.js';
import { retainPath } from './retain-path.js';
import { change } from './route.js';
import { silence } from './silence.js';
import { table } from './table.js';

/** Tokens are named for at most so many instances; others show a number. */
const TOKENS_NAMED_FOR = 8;
const TOKENS_NAMED = 6;

/** The wants for the tokens that overdue instances left behind. */
export function tokenWants(groups) {
  return groups.flatMap(group => group.instances)
    .filter(one => one.state === 'overdue' && one.tokensInForce > 0)
    .slice(0, TOKENS_NAMED_FOR).map(({ id }) => instanceWant(id));
}

/** The want for one instance. */
export function instanceWant(id) {
  return { slot: `instance ${id}`, path: `/instances/${encodeURIComponent(id)}` };
}

/** Groups with the first `limit` overdue instances; `brief` shortens the retain paths. */
export function overdueGroups(state, groups, limit, actions, { brief = false } = {}) {
  const seen = new Map();
  return groups.map(group => {
    // A verdict can occur several times, once per retain path.
    const place = (seen.get(group.fingerprint) ?? 0) + 1;
    seen.set(group.fingerprint, place);
    return overdueGroup(state, group, actions, { key: `${group.fingerprint} ${place}`, limit, brief, groups });
  });
}

function overdueGroup(state, group, actions, { key, limit, brief, groups }) {
  const { fingerprint, type, message, overdue, late, known, retainPath: found, instances } = group;
  const shown = instances.filter(one => one.state === 'overdue').slice(0, limit);
  const hidden = overdue - shown.length;
  return h('article', { class: known ? 'leak known' : 'leak', key },
    h('header', h(brief ? 'h3' : 'h2', message), h('span.badges', known && badge('known', known.count), countBadges({ overdue, late }))),
    table({
      name: message, rows: shown, columns: columns(state, actions), toneOf: one => one.role,
      more: one => creationStack(one.creationStack),
    }),
    found && h('div.held', retainPath(state, found, { brief })),
    !brief && silence(state, group, groups, actions),
    h('footer',
      h('span.origin', typeName(type)),
      hidden > 0 && h('span', `and ${count(hidden)} more overdue`),
      h('span', { title: 'The same leak has the same fingerprint in each run.' },
        'fingerprint ', h('code', found?.fingerprint ?? fingerprint))));
}

function columns(state, actions) {
  return [
    {
      id: 'what', title: 'Instance', lead: true,
      cell: one => [
        instanceLink(state, one),
        h('p', badge(one.role), ' ', labelText(one.label), ' ', askFor(state, one, actions)),
      ],
    },
    { id: 'why', title: 'Reason', cell: one => one.reason },
    {
      id: 'since', title: 'Overdue since', cell: one => [
        moment(one.dueAt), h('small', duration(one.overdueSeconds), ' ago'), h('small', 'allowed ', allowance(one.withinSeconds)),
      ],
    },
    { id: 'tokens', title: 'Tokens in force', cell: one => tokensLeft(state, one) },
    site('Created at'),
  ];
}

/** Opens the instance's panel and starts a search. */
function askFor({ searches }, { id, type }, actions) {
  const ask = () => {
    change({ instance: id });
    if (!searches[id]?.data) actions.searches.explain(id);
  };
  return h('button.small', {
    'aria-label': `Find retain path of ${bareName(type)} #${id}`, onclick: ask,
  }, 'Find retain path');
}

function tokensLeft(state, { id, tokensInForce }) {
  if (tokensInForce === 0) return h('span.quiet', 'none');
  const tokens = answerOf(state, `instance ${id}`).data?.tokens.slice(0, TOKENS_NAMED) ?? [];
  const names = tokens.map(({ id, kind, event }) => h('li', { key: id }, h('code', { title: kind }, event ?? kind)));
  return [h('strong', counted(tokensInForce, 'token')), h('ul', names)];
}

/** Late instances, with how late they were. */
export function lateTable(groups) {
  return table({
    name: 'Late',
    rows: groups.flatMap(group => group.instances).filter(one => one.state === 'late')
      .sort((a, b) => b.goneAt.localeCompare(a.goneAt)),
    columns: [
      {
        id: 'what', title: 'Instance', lead: true,
        cell: one => [h('span.name', typeName(one.type), h('span.id', ` #${one.id}`)), ' ', labelText(one.label)],
      },
      { id: 'why', title: 'Reason', cell: one => one.reason },
      { id: 'by', title: 'Late by', numeric: true, cell: one => duration(one.overdueSeconds) },
      { id: 'allowed', title: 'Allowed', numeric: true, cell: one => allowance(one.withinSeconds) },
      { id: 'gone', title: 'Died at', cell: one => moment(one.goneAt) },
      site('Created at'),
    ],
  });
}
