// The tokens in force by kind, as bars.

import { h } from './dom.js';
import { count } from './format.js';
import { addressOf } from './route.js';

/** All kinds that were ever registered. */
export function tokenKinds({ byKind }) {
  const most = Math.max(1, ...byKind.map(({ inForce }) => inForce));
  return h('section', { 'aria-labelledby': 'kinds-title' },
    h('header.section-head', h('h2', { id: 'kinds-title' }, 'Tokens by kind'),
      h('a', { href: addressOf('tokens') }, 'All tokens')),
    byKind.length === 0
      ? h('p.quiet', 'No token in force.')
      : h('ul.bars', byKind.map(({ kind, inForce }) => h('li', { key: kind },
        h('span.type', kind), h('span.value', count(inForce)),
        h('svg.bar', { viewBox: `0 0 ${most} 1`, preserveAspectRatio: 'none', 'aria-hidden': true },
          h('rect', { width: inForce, height: 1 }))))));
}
