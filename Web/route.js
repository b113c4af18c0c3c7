// The current view and its parameters, kept only in the URL after the #.

/** All views: names in addresses, titles, and keys after `g`. */
const VIEWS = [
  ['overview', 'Overview', 'o'], ['overdue', 'Overdue', 'd'], ['types', 'Types', 't'], ['instances', 'Instances', 'i'],
  ['tokens', 'Tokens', 'k'], ['timeline', 'Timeline', 'l'], ['marks', 'Marks', 'm'], ['scenarios', 'Scenarios', 's'],
].map(([view, title, key]) => ({ view, title, key }));

/** The views for this process. */
export function viewsOf({ hello }) {
  return hello?.scenarios ? VIEWS : VIEWS.filter(({ view }) => view !== 'scenarios');
}

/** Reads `#/types?sort=peak` as `{ view: 'types', query: { sort: 'peak' } }`; an unknown view is the overview. */
export function parseRoute(hash) {
  const [path, search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const view = VIEWS.some(({ view }) => view === path) ? path : 'overview';
  return { view, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The address of a view. */
export function addressOf(view, query = {}) {
  return withQuery(`#/${view === 'overview' ? '' : view}`, query);
}

/** A path with its query; empty parameters are left out. */
export function withQuery(path, query) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => (value ?? '') !== ''));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The current address with changed parameters. */
export function here(route, changes) {
  return addressOf(route.view, { ...route.query, ...changes });
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
