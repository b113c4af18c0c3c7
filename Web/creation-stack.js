// The creation stack of an instance, closed at first.

import { h } from './dom.js';
import { counted } from './format.js';

/** From the innermost call outwards; null if there is none. */
export function creationStack(frames) {
  if (!frames?.length) return null;
  return h('details.calls',
    h('summary', 'Creation stack ', h('span.fine', counted(frames.length, 'call'))),
    h('ol.steps', frames.map(frame)));
}

function frame({ function: name, module }) {
  return h('li', h('code', { title: name }, name), h('span.module', module));
}
