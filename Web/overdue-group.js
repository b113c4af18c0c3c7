// One leak as a card: who holds it, its instances, and the tokens left behind.

import { acknowledge, acknowledgedBy } from './acknowledge.js';
import { answerOf } from './answers.js';
import { badge, countBadges } from './badge.js';
import { site } from './columns.js';
import { creationStack } from './creation-stack.js';
import { h } from './dom.js';
import { allowance, bareName, count, counted, duration } from './format.js';
import { instanceLink, labelText, moment, numberLink, typeName } from './links.js';
import { retainPath } from './retain-path.js';
import { titleOf } from './retain-words.js';
import { addressOf, change } from './route.js';
import { table } from './table.js';

/** Tokens are named for at most so many instances; others show a number. */
const TOKENS_NAMED_FOR = 8;
const TOKENS_NAMED = 6;
/** A card with more instances than this shows one of them, and the ids of the others. */
const FEW = 4;
/** The most instances that the server lists in a group, and those requested for a folded card. */
export const LISTED = 100;
export const FOLDED = 24;

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

/** A card for each group. A `brief` card shows the advice of a path, and no more instances than fit. */
export function overdueGroups(state, groups, actions, { brief = false } = {}) {
  const seen = new Map();
  return groups.map(group => {
    // A verdict can occur several times, once per retain path.
    const place = (seen.get(group.fingerprint) ?? 0) + 1;
    seen.set(group.fingerprint, place);
    return overdueGroup(state, group, actions, { key: `${group.fingerprint} ${place}`, brief, groups });
  });
}

/** The holder first, then the instances that it holds. */
function overdueGroup(state, group, actions, { key, brief, groups }) {
  const { fingerprint, type, message, overdue, late, known, retainPath: found, instances } = group;
  const title = titleOf(group);
  const listed = instances.filter(one => one.state === 'overdue');
  const isOpen = !brief && state.route.query.all === key;
  const shown = isOpen || overdue <= FEW ? listed : listed.slice(0, 1);
  return h('article', { class: known ? 'leak known' : 'leak', key },
    h('header',
      h(brief ? 'h3' : 'h2', { title }, title),
      h('span.badges', known && badge('known', known.count), countBadges({ overdue, late }))),
    found && h('p.why', message),
    found && h('div.held', retainPath(state, found, { brief, isTitled: true })),
    table({
      name: title, rows: shown, columns: columns(state, actions), toneOf: one => one.role,
      more: one => creationStack(one.creationStack),
    }),
    !brief && overdue > FEW && others(state, group, listed, key, isOpen),
    h('footer',
      !brief && acknowledge(state, {
        known, title: message, subject: acknowledgedBy(group, groups), path: found?.fingerprint,
      }, actions),
      h('span.origin', typeName(type)),
      brief && overdue > shown.length
        && h('a', { href: addressOf('overdue') }, `and ${count(overdue - shown.length)} more`),
      h('span', { title: 'The same leak has the same fingerprint in each run.' },
        'fingerprint ', h('code', found?.fingerprint ?? fingerprint))));
}

/** The ids of the folded instances in one line, or the way to those that the server did not list. */
function others(state, { type, overdue }, listed, key, isOpen) {
  const toggle = h('button.small', {
    'aria-expanded': isOpen, onclick: () => change({ all: isOpen ? null : key }, { replace: true }),
  }, isOpen ? 'Show one' : overdue > LISTED ? `Show ${LISTED} of ${count(overdue)}` : `Show all ${count(overdue)}`);
  if (!isOpen) {
    return h('div.others', toggle, h('p.ids', listed.slice(1).map(({ id, type }) => numberLink(state, id, type))));
  }
  const all = addressOf('instances', { type, verdict: 'overdue' });
  return h('div.others', toggle,
    overdue > listed.length && h('a', { href: all }, `All overdue instances of ${bareName(type)}`));
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
    {
      id: 'why', title: 'Reason',
      cell: one => [one.reason, ' ', h('small', 'allowed ', allowance(one.withinSeconds))],
    },
    {
      id: 'since', title: 'Overdue since',
      cell: one => [moment(one.dueAt), ' ', h('small', duration(one.overdueSeconds), ' ago')],
    },
    { id: 'tokens', title: 'Tokens in force', cell: one => tokensLeft(state, one) },
    site('Created at'),
  ];
}

/** Opens the instance's panel and starts a search. */
function askFor({ searches }, { id, type, retainStatus }, actions) {
  const ask = () => {
    change({ instance: id });
    if (!searches[id]?.data) actions.searches.explain(id);
  };
  const words = retainStatus ? 'Retain path' : 'Find retain path';
  return h('button.small', { 'aria-label': `${words} of ${bareName(type)} #${id}`, onclick: ask }, words);
}

function tokensLeft(state, { id, tokensInForce }) {
  if (tokensInForce === 0) return h('span.quiet', 'none');
  const tokens = answerOf(state, `instance ${id}`).data?.tokens.slice(0, TOKENS_NAMED) ?? [];
  const names = tokens.map(({ id, kind, event }) => h('li', { key: id }, h('code', { title: kind }, event ?? kind)));
  return [h('strong', counted(tokensInForce, 'token')), h('ul', names)];
}
