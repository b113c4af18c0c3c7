// The health of the process, in one sentence.

import { count, counted } from './format.js';
import { addressOf } from './route.js';

/**
 * The level, `good`, `warn` or `bad`, and the parts of the sentence: `{ words, href }`, each with the address of its
 * explanation. `known` of the overdue instances are known leaks.
 */
export function healthOf({ instances, verdicts }, { known = 0 } = {}) {
  const leaking = verdicts.overdue - known;
  const bad = [
    leaking > 0 && part(`${count(leaking)} overdue`, 'overdue'),
    verdicts.orphaned > 0 && part(counted(verdicts.orphaned, 'orphaned token'), 'tokens', { state: 'orphaned' }),
    verdicts.brokenInvariants > 0 && part(counted(verdicts.brokenInvariants, 'broken invariant'), 'limits'),
  ].filter(Boolean);
  const warn = [
    verdicts.growing > 0 && part(`${count(verdicts.growing)} growing`, 'types', { sort: 'growing' }),
    verdicts.overBudget > 0 && part(`${count(verdicts.overBudget)} over budget`, 'limits'),
    verdicts.crowded > 0 && part(`${counted(verdicts.crowded, 'event')} crowded with tokens`, 'limits'),
  ].filter(Boolean);
  const further = [
    known > 0 && part(counted(known, 'known leak'), 'overdue'),
  ].filter(Boolean);
  if (bad.length + warn.length > 0) return health(bad.length ? 'bad' : 'warn', [...bad, ...warn, ...further]);
  if (instances.live === 0) return health('good', [part('Nothing live, nothing overdue', 'types')]);
  const all = part(`All well: ${count(instances.live)} live`, 'types');
  return health('good', [all, ...(known > 0 ? [] : [part('nothing overdue', 'overdue')]), ...further]);
}

function part(words, view, query) {
  return { words, href: addressOf(view, query) };
}

function health(level, parts) {
  return { level, parts, sentence: parts.map(({ words }) => words).join(', ') };
}
