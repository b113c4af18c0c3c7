// The types with most live instances, as bars.

import { h } from './dom.js';
import { count } from './format.js';
import { typeLink } from './links.js';

const SHOWN = 8;

/** Up to eight types; the rest is a click away. */
export function topTypes(top) {
  if (!top) return null;
  const rows = top.slice(0, SHOWN);
  const most = Math.max(1, ...rows.map(row => row.live));
  return h('section', { 'aria-labelledby': 'top-title' },
    h('header.section-head', h('h2', { id: 'top-title' }, 'Most live'), h('a', { href: '#/types' }, 'All types')),
    rows.length === 0
      ? h('p.quiet', 'Nothing is live.')
      : h('ul.bars', rows.map(row => h('li', { key: row.type },
        typeLink(row.type), h('span.value', count(row.live)),
        h('svg.bar', { viewBox: `0 0 ${most} 1`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
          h('rect', { width: row.live, height: 1 }))))));
}
