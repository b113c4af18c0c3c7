// The figures at the top of the overview: counts, then problems.

import { h } from './dom.js';
import { count } from './format.js';
import { addressOf } from './route.js';

/** Most link to what they count. Known leaks are counted apart from the overdue instances. */
export function headline({ instances, tokens, verdicts }, known = 0) {
  return h('div.headline',
    h('dl.figures', { 'aria-label': 'Facts' },
      figure('Live', instances.live, addressOf('types')),
      figure('Peak', instances.peak),
      figure('Born', instances.born),
      figure('Died', instances.died),
      figure('Tokens in force', tokens.inForce, addressOf('tokens'))),
    h('dl.figures', { 'aria-label': 'Verdicts' },
      figure('Overdue', verdicts.overdue - known, addressOf('overdue'), 'bad'),
      known > 0 && figure('Known leaks', known, addressOf('overdue')),
      figure('Late', verdicts.late, addressOf('overdue'), 'late'),
      figure('Orphaned', verdicts.orphaned, addressOf('tokens', { state: 'orphaned' }), 'bad'),
      figure('Over budget', verdicts.overBudget, addressOf('limits'), 'warn')));
}

function figure(title, value, href = null, tone = '') {
  const words = count(value);
  return h('div', { class: `figure ${tone && value === 0 ? 'none' : tone}`, key: title },
    h('dt', title),
    h('dd', href ? h('a', { href, 'aria-label': `${title}: ${words}` }, words) : words));
}
