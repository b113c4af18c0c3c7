// The calls that led to an instance, closed until somebody wants them.

import { h } from './dom.js';
import { counted } from './format.js';

/** From the innermost outwards; nothing where none were recorded. */
export function creationStack(frames) {
  if (!frames?.length) return null;
  return h('details.calls',
    h('summary', 'Creation stack ', h('span.fine', counted(frames.length, 'call'))),
    h('ol.steps', frames.map(frame)));
}

function frame({ function: name, module }) {
  return h('li', h('code', { title: name }, name), h('span.module', module));
}
