// An address that no view has.

import { h } from './dom.js';
import { addressOf, viewsOf } from './route.js';

export function wants() {
  return [];
}

export function view(state) {
  return [
    h('h1', { tabindex: -1 }, `There is no view “${state.route.path.slice(0, 60)}”`),
    h('p.lead-in', 'The address may be old or mistyped. These are the views:'),
    h('ul.views', viewsOf(state).map(({ view, title }) =>
      h('li', { key: view }, h('a', { href: addressOf(view) }, title)))),
  ];
}
