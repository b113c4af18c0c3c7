// Keyboard shortcuts and their list.

import { h } from './dom.js';
import { focusOn, focusSoon } from './focus.js';
import { addressOf, change, go, viewsOf } from './route.js';

/** Milliseconds to press the second key after `g`. */
const PATIENCE = 1500;
const FILTER = '#main input[type=search]';

export function listenToKeys(store) {
  let wentAt = -Infinity;
  addEventListener('keydown', event => {
    const { route, keys } = store.state;
    if (event.key === 'Escape') {
      if (keys) hideKeys(store);
      else if (route.query.instance) change({ instance: null });
      return;
    }
    // While the list is open, its only control keeps the focus.
    if (keys) return event.key === 'Tab' && event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const target = event.timeStamp - wentAt < PATIENCE && viewsOf(store.state).find(({ key }) => key === event.key);
    if (event.key === 'g') wentAt = event.timeStamp;
    else if (event.key === '?') showKeys(store);
    else if (event.key === '/') filter();
    else if (target) go(addressOf(target.view));
    else return;
    event.preventDefault();
  });
}

function isTyping({ tagName, isContentEditable }) {
  return isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(tagName);
}

/** Focuses the view's filter, or the types' filter. */
function filter() {
  if (document.querySelector(FILTER)) return focusOn(FILTER);
  go(addressOf('types'));
  focusSoon(FILTER);
}

export function showKeys(store) {
  store.set({ keys: true });
  focusSoon('.keys button');
}

export function hideKeys(store) {
  store.set({ keys: false });
  focusSoon('.keys-button');
}

export function keysHelp(state, actions) {
  if (!state.keys) return null;
  const row = (key, words) =>
    h('div', { key }, h('dt', key.split(' ').map(one => [h('kbd', one), ' '])), h('dd', words));
  return h('div.veil', { onclick: event => event.target === event.currentTarget && actions.hideKeys() },
    h('div.keys', { role: 'dialog', 'aria-modal': true, 'aria-labelledby': 'keys-title' },
      h('div.section-head', h('h2', { id: 'keys-title' }, 'Keys'), h('button', { onclick: actions.hideKeys }, 'Close')),
      h('dl',
        row('/', 'Filter the list'), row('?', 'Show the keys'), row('Esc', 'Close the panel, or this list'),
        row('← →', 'Move through the focused chart'),
        viewsOf(state).map(({ key, title }) => row(`g ${key}`, title)))));
}
