// One instance, beside the current view.

import { answerOf } from './answers.js';
import { badge } from './badge.js';
import { creationStack } from './creation-stack.js';
import { h } from './dom.js';
import { allowance, counted, duration } from './format.js';
import { labelText, moment, numberLink, ownerOf, sitePlace, typeLink } from './links.js';
import { errorNotice, waitingNotice } from './notice.js';
import { instanceWant } from './overdue-group.js';
import { holderSection } from './retain-path.js';
import { here } from './route.js';

export function wants(state) {
  const { instance } = state.route.query;
  return instance ? [instanceWant(instance)] : [];
}

export function view(state, actions) {
  const { instance } = state.route.query;
  if (!instance) return null;
  const { data, error } = answerOf(state, `instance ${instance}`);
  return h('aside.panel', { id: 'instance', 'aria-labelledby': 'instance-title' },
    h('header',
      h('h2', { id: 'instance-title', tabindex: -1 },
        data ? typeLink(data.type) : 'Instance', h('span.id', ` #${instance}`)),
      h('a.close', { href: here(state.route, { instance: null }), 'aria-label': 'Close' }, '×')),
    error && failure(error, actions),
    data ? content(state, data, actions) : !error && waitingNotice('the instance'));
}

/** The death of an instance is no failure. */
function failure(error, actions) {
  if (error.code !== 'instanceDied') return errorNotice(error, actions.retry);
  return h('div.notice.good',
    h('p', h('strong', 'The instance has died.'), error.diedAt && [' Died at ', moment(error.diedAt), '.']),
    h('p', error.message));
}

function content(state, one, actions) {
  const none = h('span.quiet', 'none');
  const fact = (title, value) => h('div', { key: title }, h('dt', title), h('dd', value));
  return [
    h('p.badges', labelText(one.label),
      one.verdicts.length ? one.verdicts.map(verdict => badge(verdict)) : badge('live')),
    one.deadlines.map(deadlineNotice),
    holderSection(state, one.id, actions),
    one.exemption !== null && h('p.notice', h('strong', 'Exempt: '), one.exemption),
    h('dl.facts',
      fact('Age', duration(one.ageSeconds)),
      fact('Born at', moment(one.bornAt)),
      fact('Created at', one.site ? h('code.site', `${one.site.file}:${one.site.line}`) : 'not recorded'),
      fact('Owner', ownerOf(state, one.owner)),
      fact('Parent', one.parent === null ? none : numberLink(state, one.parent)),
      fact('Children', one.children.length === 0
        ? none : h('span.numbers', one.children.map(id => numberLink(state, id))))),
    creationStack(one.creationStack),
    h('section', { 'aria-labelledby': 'instance-tokens' },
      h('h3', { id: 'instance-tokens' },
        one.tokens.length ? `${counted(one.tokens.length, 'token')} in force` : 'No token in force'),
      h('ul.token-list', one.tokens.map(tokenEntry))),
  ];
}

function deadlineNotice({ state, reason, withinSeconds, setAt, dueAt, overdueSeconds }, index) {
  const isOverdue = state === 'overdue';
  return h('div', { class: isOverdue ? 'notice bad' : 'notice', key: `deadline ${index}` },
    h('p', h('strong', `${isOverdue ? 'Overdue for' : 'Due in'} ${duration(overdueSeconds)}`)),
    h('p', `Reason: ${reason}`),
    h('p.fine', 'Set at ', moment(setAt), `, allowed ${allowance(withinSeconds)}, due at `, moment(dueAt)));
}

function tokenEntry(token) {
  return h('li', { key: token.id },
    h('code', token.event ?? token.kind), ' ', token.state === 'orphaned' && badge('orphaned'),
    h('small', `${token.kind}, registered `, moment(token.registeredAt),
      `, ${counted(token.deliveries, 'delivery', 'deliveries')}, `, sitePlace(token.site)));
}
