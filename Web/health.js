// The health of the process, in one sentence.

import { count, counted } from './format.js';
import { outlookOf } from './history.js';

/** The sentence, with a trend if there are samples, and a level: `good`, `warn` or `bad`. */
export function healthOf({ instances, verdicts }, samples = []) {
  const outlook = samples.length > 0 ? outlookOf(samples) : null;
  const lately = outlook ? `, live count ${outlook}` : '';
  const bad = [
    verdicts.overdue && `${count(verdicts.overdue)} overdue`,
    verdicts.orphaned && counted(verdicts.orphaned, 'orphaned token'),
    verdicts.brokenInvariants && counted(verdicts.brokenInvariants, 'broken invariant'),
  ].filter(Boolean);
  const warn = [
    verdicts.overBudget && `${count(verdicts.overBudget)} over budget`,
    verdicts.crowded && `${counted(verdicts.crowded, 'event')} crowded with tokens`,
  ].filter(Boolean);
  if (bad.length + warn.length > 0) {
    return { level: bad.length ? 'bad' : 'warn', sentence: [...bad, ...warn].join(', ') + lately };
  }
  if (instances.live === 0) return { level: 'good', sentence: 'Nothing live, nothing overdue' };
  return { level: 'good', sentence: `All well: ${count(instances.live)} live, nothing overdue${lately}` };
}
