// The table of all lists: sorted through the URL, with keyed rows, folded into blocks on a narrow page.
// The roles are explicit, because browsers no longer report a table as one when CSS changes how it is displayed.

import { h } from './dom.js';
import { count } from './format.js';
import { change, here } from './route.js';

/** The parameters of the URL that sort a table. */
const NAMES = { sort: 'sort', order: 'order' };

/**
 * Rows are identified by `keyOf`, else by id.
 *
 * `columns` are `{ id, title, cell(row), numeric, lead, sort, first }`: `lead` marks the column that names the row,
 * `sort` is the API's name for the order, `first` the first order. A null cell is a dash. `sorted` is the
 * current `{ by, order }`. `more(row)` is shown below a row, across all columns. If `rows` is a
 * part of a long list, `part` is `{ first, total }`, and all rows have one height.
 */
export function table({
  name, columns, rows, keyOf = row => row.id, sorted = null, state = null, toneOf, more, compact = false, part = null,
  names = NAMES,
}) {
  const look = `table-box${compact ? ' compact' : ''}${part ? ' virtual' : ''}`;
  return h('div', { class: look, key: `table ${name}` },
    sorted && sortChoice(columns.filter(column => column.sort), sorted, state.route, names),
    h('div.scroll',
      h('table', { role: 'table', 'aria-label': name, 'aria-rowcount': part && part.total + 1 },
        h('thead', { role: 'rowgroup' },
          h('tr', { role: 'row' }, columns.map(column => heading(column, sorted, state, names)))),
        h('tbody', { role: 'rowgroup' },
          part && space('above', part.first),
          rows.map((row, index) => [
            h('tr', {
              role: 'row', key: keyOf(row), class: part ? 'row' : toneOf?.(row),
              'aria-rowindex': part && part.first + index + 2,
            }, columns.map(column => cell(column, row))),
            rowUnder(more?.(row), keyOf(row), columns.length),
          ]),
          part && space('below', part.total - part.first - rows.length)))));
}

/** Empty space in place of rows that are not drawn: a blank image whose view box has one unit of height per row. */
function space(place, rows) {
  return rows > 0 && h('tr.space', { key: place, 'aria-hidden': true },
    h('td', h('svg', { viewBox: `0 0 1 ${rows}`, 'data-rows': rows })));
}

function rowUnder(content, key, width) {
  return content && h('tr.under', { role: 'row', key: `under ${key}` },
    h('td', { role: 'cell', colspan: width, 'aria-colspan': width }, content));
}

function heading(column, sorted, state, names) {
  const { id, title, sort, first = 'desc' } = column;
  const props = { key: id, role: 'columnheader', scope: 'col', class: classOf(column) };
  if (!sorted || !sort) return h('th', props, title);
  const order = sorted.by === sort ? sorted.order : null;
  const address = here(state.route, {
    [names.sort]: sort, [names.order]: order === first ? opposite(first) : first, show: null,
  });
  return h('th', { ...props, 'aria-sort': order && `${order}ending` },
    h('a', { href: address }, title,
      h('span.arrow', { 'aria-hidden': true }, order && (order === 'asc' ? '↑' : '↓'))));
}

function opposite(order) {
  return order === 'asc' ? 'desc' : 'asc';
}

function cell(column, row) {
  const content = column.cell(row);
  const isNone = content === null || content === undefined;
  return h('td', {
    key: column.id, role: 'cell', class: classOf(column) + (isNone ? ' none' : ''), 'data-title': column.title,
  }, h('div', isNone ? '–' : content));
}

function classOf({ id, numeric, lead }) {
  return `c-${id}${numeric ? ' numeric' : ''}${lead ? ' lead' : ''}`;
}

/** Replaces the headings of a folded table. */
function sortChoice(choices, { by, order }, route, names) {
  const choose = event => {
    const { sort, first = 'desc' } = choices.find(column => column.sort === event.target.value);
    change({ [names.sort]: sort, [names.order]: first, show: null });
  };
  return h('div.sort-choice',
    h('label', 'Sort by ', h('select', { value: by, onchange: choose },
      choices.map(({ sort, title }) => h('option', { key: sort, value: sort }, title)))),
    h('a', { href: here(route, { [names.sort]: by, [names.order]: opposite(order) }) }, `${order}ending`));
}

/**
 * A table of a complete list, sorted by the page by any column. `names` are the parameters of the URL. A column has the
 * value to sort by as `value(row)`, else it is the row's value `id`. The given order is that of the column `by`.
 */
export function sortedTable({ state, columns, rows, names, by, ...others }) {
  const { [names.sort]: sort = by, [names.order]: order = 'desc' } = state.route.query;
  const sortable = columns.map(column => ({ ...column, sort: column.id }));
  const { id, value = row => row[id] } = columns.find(column => column.id === sort) ?? columns[0];
  const compare = (a, b) => typeof a === 'number' ? a - b : String(a ?? '').localeCompare(String(b ?? ''));
  const ascending = rows.toSorted((a, b) => compare(value(a), value(b)));
  return table({
    ...others, state, names, columns: sortable, rows: order === 'asc' ? ascending : ascending.toReversed(),
    sorted: { by: sort, order },
  });
}

/** The number of shown rows, and a link to more. `name` is the parameter of the URL with the number of rows. */
export function more(answer, shown, step, name = 'show') {
  if (answer.total <= shown) return null;
  return h('p.more',
    h('span', `${count(shown)} of ${count(answer.total)} shown`),
    h('button', {
      onclick: () => change({ [name]: shown + step }, { replace: true }),
    }, `Show ${count(Math.min(step, answer.total - shown))} more`));
}

/** The number of rows that the URL requests. */
export function shownCount(route, usual, name = 'show') {
  const show = Number.parseInt(route.query[name] ?? '', 10);
  return Number.isInteger(show) && show > 0 ? Math.min(show, 5000) : usual;
}
