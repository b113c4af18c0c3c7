// The current view and its parameters, kept only in the URL after the #.

/** All views: names in addresses, titles, and keys after `g`. */
const VIEWS = [
  ['overview', 'Overview', 'o'], ['overdue', 'Overdue', 'd'], ['types', 'Types', 't'], ['instances', 'Instances', 'i'],
  ['tokens', 'Tokens', 'k'], ['limits', 'Limits', 'b'], ['timeline', 'Timeline', 'l'], ['process', 'Process', 'p'],
  ['heap', 'Heap', 'h'], ['marks', 'Marks', 'm'], ['scenarios', 'Scenarios', 's'],
].map(([view, title, key]) => ({ view, title, key }));

/** Whether the program has the routes of scenarios, as the demo does. */
export const hasScenarios = hello => hello?.programRoutes.includes('/api/v1/scenarios') ?? false;

/** The views for this process. */
export function viewsOf({ hello }) {
  return hasScenarios(hello) ? VIEWS : VIEWS.filter(({ view }) => view !== 'scenarios');
}

/** Views that only other parts of the page lead to. */
const ELSEWHERE = ['former'];

/** Reads `#/types?sort=peak` as `{ view: 'types', path: 'types', query: { sort: 'peak' } }`. */
export function parseRoute(hash) {
  const [path, search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const isView = ELSEWHERE.includes(path) || VIEWS.some(({ view }) => view === path);
  const view = path === '' ? 'overview' : isView ? path : 'unknown';
  return { view, path, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The address of a view. A pause lasts until it is ended. */
export function addressOf(view, query = {}) {
  const until = 'until' in query ? query.until : pausedAt();
  return withQuery(`#/${view === 'overview' ? '' : view}`, { ...query, until });
}

/** The time in the URL at which the page was paused, or null. */
export function pausedAt() {
  const until = Number(/[?&]until=(\d+)/.exec(location.hash)?.[1]);
  return until > 0 ? until : null;
}

/** A path with its query; empty parameters are left out. */
export function withQuery(path, query) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => (value ?? '') !== ''));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The current address with changed parameters. */
export function here(route, changes) {
  return addressOf(route.view === 'unknown' ? route.path : route.view, { ...route.query, ...changes });
}

/** Changes parameters of the URL, which may be newer than the drawn page. */
export function change(changes, options) {
  go(here(parseRoute(location.hash), changes), options);
}

/** Goes to an address; `replace` adds no history entry, for changes while typing. */
export function go(address, { replace } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  dispatchEvent(new Event('hashchange'));
}
