// What holds the objects of a type: a card for each root and path, with the number of objects.

import { answerOf } from './answers.js';
import { h } from './dom.js';
import { count, counted } from './format.js';
import { HEAP_PHASES } from './heap-captures.js';
import { moment } from './links.js';
import { whenAnswered } from './notice.js';
import { pathOf, searching } from './retain-path.js';
import { here } from './route.js';

const MOST_GROUPS = 50;
/** A finished result is requested again once in so many seconds; it changes only if a search is repeated. */
const SELDOM = 3600;
/** What a group's status can be if its objects are leaked. */
const LEAKED = new Set(['cycle', 'leakedByCycle', 'noRootFound']);

function slotOf({ route: { query } }, id) {
  return `paths ${id} ${query.paths} ${query.pathsKind ?? ''}`;
}

/** The parameters of the search that the URL asks for. */
export function pathsQuery({ paths, pathsKind }) {
  return { type: paths, kind: pathsKind };
}

/** The request for the paths of the type in the URL: repeated while the search runs. */
export function pathsWant(state, id) {
  const { query } = state.route;
  if (!query.paths) return [];
  const slot = slotOf(state, id);
  const { data, error } = answerOf(state, slot);
  const isOver = error || data && !data.job;
  return [{
    slot, path: `/heaps/${encodeURIComponent(id)}/paths`, query: { ...pathsQuery(query), limit: MOST_GROUPS },
    every: isOver ? SELDOM : 0.4,
  }];
}

/** The link from a line of a capture to the paths of its objects. */
export function pathsLink(route, { kind, type, name, paths }) {
  if (!paths) return null;
  return h('a', {
    href: here(route, { paths: type ?? name, pathsKind: kind }), 'aria-label': `What holds ${name}`,
  }, 'paths');
}

export function heapPaths(state, id, actions) {
  const { query } = state.route;
  if (!query.paths) return null;
  return h('section', { key: 'paths', 'aria-labelledby': 'paths-title' },
    h('header.section-head',
      h('h2', { id: 'paths-title', tabindex: -1 }, `What holds ${query.paths}`),
      h('button.small', { onclick: () => actions.heap.searchAgain(id, pathsQuery(query)) }, 'Search again'),
      h('a', { href: here(state.route, { paths: null, pathsKind: null }) }, 'Close')),
    whenAnswered(state, slotOf(state, id), 'the paths', actions, data => data.job
      ? searching(data.job.progress, HEAP_PHASES) : found(data)));
}

function found(data) {
  const { groups, total, headline, foundAt, copy } = data;
  return [
    h('p', h('strong', headline)),
    groups.map(group => card(group, data)),
    total > groups.length && h('p.fine', `${counted(total - groups.length, 'more path')} not listed.`),
    h('p.fine', 'Searched at ', moment(foundAt), ` in a new copy of the process: ${count(copy.objects)} objects in `,
      `${count(Math.round(copy.totalMilliseconds))} ms, with the program paused for `,
      `${copy.pauseMilliseconds.toFixed(1)} ms.`),
  ];
}

function card({ status, name, headline, steps, signature, fingerprint }, { types }) {
  const type = types[0]?.type ?? name;
  const key = `${status} ${fingerprint ?? ''} ${steps[0]?.name ?? ''} ${signature}`;
  return h(LEAKED.has(status) ? 'article.leak' : 'article.leak.plain', { key },
    h('header', h('h3', { title: headline }, headline)),
    steps.length > 0 && h('div.held', pathOf({ type, steps })),
    fingerprint && h('footer',
      h('span', { title: 'The same path has the same fingerprint in each run.' },
        'fingerprint ', h('code', fingerprint))));
}
