// Where the person is: kept in the URL behind the #, and nowhere else.

/** All views: their names in addresses, their titles, and the keys that lead there after `g`. */
const VIEWS = [
  ['overview', 'Overview', 'o'], ['overdue', 'Overdue', 'd'], ['types', 'Types', 't'], ['instances', 'Instances', 'i'],
  ['tokens', 'Tokens', 'k'], ['timeline', 'Timeline', 'l'], ['marks', 'Marks', 'm'], ['scenarios', 'Scenarios', 's'],
].map(([view, title, key]) => ({ view, title, key }));

/** The views that this process has. */
export function viewsOf({ hello }) {
  return hello?.scenarios ? VIEWS : VIEWS.filter(({ view }) => view !== 'scenarios');
}

/** Reads `#/types?sort=peak` as `{ view: 'types', query: { sort: 'peak' } }`; what is not known is the overview. */
export function parseRoute(hash) {
  const [path, search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const view = VIEWS.some(({ view }) => view === path) ? path : 'overview';
  return { view, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The address of a view. */
export function addressOf(view, query = {}) {
  return withQuery(`#/${view === 'overview' ? '' : view}`, query);
}

/** A path and its query; parameters that are empty or missing are left out. */
export function withQuery(path, query) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => (value ?? '') !== ''));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The address of here with some parameters changed. */
export function here(route, changes) {
  return addressOf(route.view, { ...route.query, ...changes });
}

/** Changes parameters of the URL, which may be ahead of what is drawn. */
export function change(changes, options) {
  go(here(parseRoute(location.hash), changes), options);
}

/** Goes to an address; `replace` leaves no trace in the history, for what changes while typing. */
export function go(address, { replace } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  dispatchEvent(new Event('hashchange'));
}
