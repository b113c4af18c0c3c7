// Instances that died after their deadlines.

import { site } from './columns.js';
import { h } from './dom.js';
import { allowance, duration } from './format.js';
import { labelText, moment, typeName } from './links.js';
import { table } from './table.js';

/** Late instances, with how late they were. */
export function lateTable(groups) {
  return table({
    name: 'Late',
    rows: groups.flatMap(group => group.instances).filter(one => one.state === 'late')
      .sort((a, b) => b.goneAt.localeCompare(a.goneAt)),
    columns: [
      {
        id: 'what', title: 'Instance', lead: true,
        cell: one => [h('span.name', typeName(one.type), h('span.id', ` #${one.id}`)), ' ', labelText(one.label)],
      },
      { id: 'why', title: 'Reason', cell: one => one.reason },
      { id: 'by', title: 'Late by', numeric: true, cell: one => duration(one.overdueSeconds) },
      { id: 'allowed', title: 'Allowed', numeric: true, cell: one => allowance(one.withinSeconds) },
      { id: 'gone', title: 'Died at', cell: one => moment(one.goneAt) },
      site('Created at'),
    ],
  });
}
