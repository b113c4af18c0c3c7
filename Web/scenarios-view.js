// The demo's scenarios, with a leaking and a mended form each.

import { badge } from './badge.js';
import { h } from './dom.js';
import { counted } from './format.js';
import { moment } from './links.js';
import { emptyNotice, errorNotice, whenAnswered } from './notice.js';
import { addressOf } from './route.js';
import { verdictFeed } from './verdict-feed.js';

export function wants() {
  return [{ slot: 'scenarios', path: '/scenarios' }];
}

export function view(state, actions) {
  return [
    h('h1', { tabindex: -1 }, 'Scenarios'),
    h('p.lead-in', 'Leaks from real programs. Play one and watch its verdicts; each ends within five seconds.'),
    h('div.columns',
      h('div', whenAnswered(state, 'scenarios', 'the scenarios', actions, data =>
        data.scenarios.length === 0
          ? emptyNotice('This program has no scenarios.')
          : data.scenarios.map(scenario => card(state, actions, scenario)))),
      h('div.follows', verdictFeed(state, 8))),
  ];
}

function card(state, actions, scenario) {
  const { busy, error } = state.outcomes[`play ${scenario.name}`] ?? {};
  const id = `scenario-${scenario.name}`;
  return h('article.scenario', { key: scenario.name, 'aria-labelledby': id },
    h('h2', { id }, scenario.title),
    h('p.lead-in', scenario.story),
    error && errorNotice(error),
    h('div.forms', scenario.forms.map(form => formOf(scenario, form, busy, actions))),
    runs(scenario));
}

function formOf({ name, title, runs }, { form, summary, expects, code }, busy, actions) {
  const isRunning = runs.some(run => run.form === form && run.state === 'running');
  return h('div', { class: `form ${form}`, key: form },
    h('h3', badge(form)),
    h('p', summary),
    code && h('pre.code', { tabindex: 0, 'aria-label': `${title}, ${form}: the relevant lines` },
      h('code', code.split('\n').map(line => h('span.line', `${line}\n`)))),
    h('p.fine', 'Expected'),
    h('ul', expects.map(line => h('li', line))),
    h('button', {
      'aria-label': `Play ${title}, ${form}`, 'aria-disabled': busy,
      onclick: () => busy || actions.commands.play(name, form),
    }, isRunning ? 'Playing…' : 'Play'));
}

const RESULT = { overview: 'See the result on the overview', heap: 'Take a capture on the Heap view' };

function runs({ runs, name, resultView }) {
  if (runs.length === 0) return h('p.fine', 'Not played yet.');
  const [latest, ...earlier] = runs.toSorted((a, b) => b.id - a.id);
  return h('div.runs', { 'data-runs': name },
    runOf(latest),
    latest.state === 'done' && h('p.fine', h('a', { href: addressOf(resultView) }, RESULT[resultView])),
    earlier.length > 0 && h('details', h('summary.fine', counted(earlier.length, 'earlier run')), earlier.map(runOf)));
}

function runOf({ id, form, state, startedAt, steps }) {
  return h('div.run', { key: id },
    h('p', badge(form), ' ', badge(state), ' ', h('span.fine', 'played at ', moment(startedAt))),
    h('ol.steps', steps.map(step => h('li', step))));
}
