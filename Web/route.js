// Where the person is: kept in the URL behind the #, and nowhere else.

const VIEWS = ['overview', 'overdue', 'types', 'instances', 'tokens', 'timeline', 'scenarios', 'marks'];

/** Reads `#/types?sort=peak` as `{ view: 'types', query: { sort: 'peak' } }`; what is not known is the overview. */
export function parseRoute(hash) {
  const [path, search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const view = VIEWS.includes(path) ? path : 'overview';
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

/** The address of where we are, with some parameters changed. */
export function here(route, changes) {
  return addressOf(route.view, { ...route.query, ...changes });
}

/** Goes to an address; `replace` leaves no trace in the history, for what changes while typing. */
export function go(address, { replace = false } = {}) {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event('hashchange'));
}
