// Entries that a bounded buffer dropped, in the affected views.

import { h } from './dom.js';
import { count, counted } from './format.js';

/** The views that show a buffer; the overview shows all. */
const SHOWN_IN = {
  instances: 'types instances', types: 'types', creationSites: 'instances', creationStacks: 'instances overdue',
  annotations: 'instances overdue', tokens: 'tokens', tokenGroups: 'tokens', deadlines: 'overdue timeline',
  lateInstances: 'overdue timeline', typeTrends: 'types', retainSearches: 'overdue',
};

export function drops(view, all = []) {
  const isShown = ({ buffer, dropped }) => dropped > 0 && `overview ${SHOWN_IN[buffer]}`.split(' ').includes(view);
  const missing = all.filter(isShown);
  if (missing.length === 0) return null;
  return h('footer.drops',
    h('h2', 'Not everything is shown'),
    h('ul', missing.map(({ buffer, limit, dropped }) => h('li', { key: buffer }, h('code', buffer),
      ` keeps ${count(limit)}; ${counted(dropped, 'entry', 'entries')} dropped.`))));
}
