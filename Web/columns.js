// Columns that tables share.

import { badge } from './badge.js';
import { h } from './dom.js';
import { count, duration } from './format.js';
import { instanceLink, labelText, moment, numberLink, ownerOf, sitePlace } from './links.js';

/** A count: the row's value `id`. `sort` is the API's name. */
export function number(id, title, sort = null) {
  return { id, title, numeric: true, sort, cell: row => count(row[id]) };
}

/** The age. */
export function age(sort = null) {
  return { id: 'age', title: 'Age', numeric: true, sort, cell: row => duration(row.ageSeconds) };
}

/** A place in the source. */
export function site(title) {
  return { id: 'site', title, cell: row => sitePlace(row.site) };
}

/** The columns of an instance. */
export function instanceColumns(state) {
  return [
    {
      id: 'instance', title: 'Instance', lead: true, sort: 'id', first: 'asc',
      cell: row => [instanceLink(state, row), ' ', labelText(row.label)],
    },
    {
      id: 'verdicts', title: 'Verdict',
      cell: row => row.verdicts.length ? h('span.badges', row.verdicts.map(verdict => badge(verdict))) : null,
    },
    age('age'),
    { id: 'born', title: 'Born at', cell: row => moment(row.bornAt) },
    site('Created at'),
    { id: 'owner', title: 'Owner', cell: row => row.owner && ownerOf(state, row.owner) },
    { id: 'parent', title: 'Parent', cell: row => row.parent && numberLink(state, row.parent) },
  ];
}
