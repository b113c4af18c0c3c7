// The number of overdue instances that belong to known leaks.

import { answerOf } from './answers.js';
import { FOLDED } from './overdue-group.js';

/** The views that request the overdue instances anyway. */
const INFORMED = ['overview', 'overdue'];
/** Seconds between two requests of the other views. */
const PACE = 10;

/** The want of a view that does not know; the first leaks of each process are remembered if it ends. */
export function knownWant({ route, summary }) {
  if (!summary?.verdicts.overdue || INFORMED.includes(route.view)) return [];
  return [{ slot: 'known', path: '/overdue', query: { limit: FOLDED, instances: 1 }, every: PACE }];
}

/** The latest list of leaks. */
export function lastLeaks(state) {
  const [own, other] = INFORMED.includes(state.route.view) ? ['overdue', 'known'] : ['known', 'overdue'];
  return answerOf(state, own).data ?? answerOf(state, other).data;
}

/** The number of known instances among the overdue ones. */
export function knownCount(state) {
  return Math.min(lastLeaks(state)?.known ?? 0, state.summary?.verdicts.overdue ?? 0);
}
