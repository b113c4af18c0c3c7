// Badges: words for verdicts and states. The colour of a badge tells nothing that its word does not.

import { h } from './dom.js';
import { count } from './format.js';

/** The word and the tone of each kind. A kind that is not listed is its own word, in the plain tone. */
const WORDS = {
  overdue: ['overdue', 'bad'],
  late: ['late', 'late'],
  overBudget: ['over budget', 'warn'],
  'over-budget': ['over budget', 'warn'],
  'orphan-owner': ['owner gone', 'bad'],
  orphanOwner: ['owner gone', 'bad'],
  orphanedToken: ['orphaned token', 'bad'],
  orphaned: ['orphaned', 'bad'],
  brokenInvariant: ['broken invariant', 'bad'],
  crowded: ['crowded', 'warn'],
  growing: ['growing', 'warn'],
  inForce: ['in force', 'plain'],
  culprit: ['culprit', 'bad'],
  known: ['known', 'plain'],
  kept: ['kept', 'good'],
  expired: ['no longer known', 'warn'],
  running: ['running', 'live'],
  leaking: ['leaking', 'bad'],
  mended: ['mended', 'good'],
};

/** A badge, with a number before the word if given. */
export function badge(kind, number = null) {
  const [word, tone] = WORDS[kind] ?? [kind, 'plain'];
  return h('span', { class: `badge ${tone}`, key: kind }, number === null ? word : `${count(number)} ${word}`);
}

/** Badges for the `counts` above zero, or null. */
export function countBadges(counts) {
  const present = Object.entries(counts).filter(([, number]) => number > 0);
  if (present.length === 0) return null;
  return h('span.badges', present.map(([kind, number]) => badge(kind, number)));
}
