// What narrows a list or a chart; what is chosen is kept in the URL.

import { h } from './dom.js';
import { emptyNotice } from './notice.js';
import { change, here } from './route.js';

/** A field to type in; the list follows while typing, and the history is spared. */
export function searchField(route, name, title, placeholder) {
  return h('label', `${title} `, h('input', {
    type: 'search', value: route.query[name] ?? '', placeholder, autocomplete: 'off', spellcheck: 'false',
    oninput: event => change({ [name]: event.target.value, show: null }, { replace: true }),
  }));
}

/** A choice among `[value, word]`, the first of which is none. `changes` are made beside it. */
export function choiceField(route, name, title, options, changes = {}) {
  return h('label', { key: name }, `${title} `, h('select', {
    value: route.query[name] ?? '',
    onchange: event => change({ ...changes, [name]: event.target.value, show: null }),
  }, options.map(([value, word]) => h('option', { key: value, value }, word))));
}

/** The span of time that the URL asks for, of `{ name, usual, spans }`: its parameter, what holds without it, and all. */
export function spanOf({ query }, { name, usual, spans }) {
  return spans.find(([seconds]) => String(seconds) === query[name])?.[0] ?? usual;
}

/** The spans as links. */
export function spanLinks(route, choice) {
  const { name, usual, spans } = choice;
  return h('nav.choices', { 'aria-label': 'Time shown' }, spans.map(([seconds, title]) => h('a', {
    key: seconds, href: here(route, { [name]: seconds === usual ? null : seconds }),
    'aria-current': spanOf(route, choice) === seconds,
  }, title)));
}

/** Says that nothing fits what was asked for, and how to see all. */
export function noMatchNotice(route, what, names) {
  const nothing = Object.fromEntries(names.map(name => [name, null]));
  return emptyNotice(`No ${what} matches.`, h('a', { href: here(route, nothing) }, 'Show all'));
}
