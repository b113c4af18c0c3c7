// Entries that a bounded buffer dropped, in the affected views.

import { h } from './dom.js';
import { count } from './format.js';

/** The views that show a buffer; the overview shows all. */
const SHOWN_IN = {
  instances: 'types instances', types: 'types', creationSites: 'instances', creationStacks: 'instances overdue',
  annotations: 'instances overdue', tokens: 'tokens', tokenGroups: 'tokens', deadlines: 'overdue timeline',
  lateInstances: 'overdue timeline', typeTrends: 'types', growth: 'types tokens', oldInstances: 'overdue',
  retainSearches: 'overdue',
};

/** The contents of a buffer in words. */
const CONTENTS = {
  instances: 'live instances', types: 'types', creationSites: 'places of creation', creationStacks: 'creation stacks',
  annotations: 'labels, owners and parents', tokens: 'tokens', tokenGroups: 'kinds of tokens', deadlines: 'deadlines',
  lateInstances: 'late instances', verdicts: 'verdicts', verdictDeliveries: 'verdicts to deliver',
  verdictTypes: 'types with verdicts', invariants: 'invariants', history: 'samples of the history',
  threadStarts: 'starts of the tracer’s thread', typeTrends: 'types with a trend', retainSearches: 'searches',
  growth: 'types and events that are judged for growth', oldInstances: 'instances beyond their maximum age',
  sessions: 'sessions', guessingClients: 'clients with wrong access tokens',
};

export function drops(view, all = []) {
  const isShown = ({ buffer, dropped }) => dropped > 0 && `overview ${SHOWN_IN[buffer]}`.split(' ').includes(view);
  const missing = all.filter(isShown);
  if (missing.length === 0) return null;
  return h('footer.drops',
    h('h2', 'Not everything is shown'),
    h('ul', missing.map(({ buffer, limit, dropped }) => h('li', { key: buffer },
      `At most ${count(limit)} ${CONTENTS[buffer] ?? buffer} are kept; `
        + `${count(dropped)} ${dropped === 1 ? 'was' : 'were'} dropped.`))));
}
