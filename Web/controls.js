// Controls that filter a list or chart; the URL keeps the choice.

import { h } from './dom.js';
import { emptyNotice } from './notice.js';
import { change, here } from './route.js';

/** A text field that filters while typing, without adding to the history. */
export function searchField(route, name, title, placeholder) {
  return h('label', `${title} `, h('input', {
    type: 'search', value: route.query[name] ?? '', placeholder, autocomplete: 'off', spellcheck: 'false',
    oninput: event => change({ [name]: event.target.value, show: null }, { replace: true }),
  }));
}

/** A choice among `[value, word]`; the first means none. `changes` apply with it. */
export function choiceField(route, name, title, options, changes = {}) {
  return h('label', { key: name }, `${title} `, h('select', {
    value: route.query[name] ?? '',
    onchange: event => change({ ...changes, [name]: event.target.value, show: null }),
  }, options.map(([value, word]) => h('option', { key: value, value }, word))));
}

/** The time span in the URL, for `{ name, usual, spans }`: parameter, default and choices. */
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

/** Says that nothing matches, with a link to show all. */
export function noMatchNotice(route, what, names) {
  const nothing = Object.fromEntries(names.map(name => [name, null]));
  return emptyNotice(`No ${what} matches.`, h('a', { href: here(route, nothing) }, 'Show all'));
}
