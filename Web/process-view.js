// The resources of the process over time, beside its live instances.

import { spanLinks, spanOf } from './controls.js';
import { h } from './dom.js';
import { bytes, count, duration, timeOfDay } from './format.js';
import { waitingNotice, whenAnswered } from './notice.js';
import { smallChart, steady } from './plot.js';
import { addressOf, here, pausedAt } from './route.js';
import { inSight, sampleAt } from './time-window.js';

const SPAN = { name: 'span', usual: 600, spans: [[600, '10 min'], [3600, '1 h']] };
/** Seconds between two samples, and between two requests. */
const PACE = 5;
/** Seconds between two requests of a view that only shows the finding. */
const FINDING_PACE = 30;

export function wants({ route }) {
  return [{ slot: 'process', path: '/process', query: { since: spanOf(route, SPAN) }, every: PACE }];
}

/** The want of a view that only shows the finding. */
export function findingWant() {
  return { slot: 'finding', path: '/process', query: { since: 1 }, every: FINDING_PACE };
}

export function view(state, actions) {
  const { route } = state;
  const isPaused = pausedAt() !== null;
  return [
    h('h1', { tabindex: -1 }, 'Process'),
    h('p.lead-in',
      'What the process uses, beside the live instances. Memory that rises without them belongs to no traced type.'),
    h('div.controls', spanLinks(route, SPAN), h('a', {
      href: here(route, { until: isPaused ? null : Date.now() }), class: isPaused ? 'paused' : null,
    }, isPaused ? 'Resume' : 'Pause')),
    whenAnswered(state, 'process', 'the figures of the process', actions, data => content(state, data, actions)),
  ];
}

function content(state, data, actions) {
  const samples = samplesOf(data.samples);
  const limit = data.openFilesLimit === null ? '' : ` of ${count(data.openFilesLimit)}`;
  if (samples.length < 2) return waitingNotice('the first two samples');
  const sight = inSight(samples, { range: spanOf(state.route, SPAN), until: null });
  const common = { sight, pointer: state.pointer, actions, heading: 'h2' };
  const at = sampleAt(sight, state.pointer);
  const decimal = value => value === null ? '–' : count(Math.round(value * 10) / 10);
  return [
    finding(data.finding),
    h('p.lead-in', `From ${timeOfDay(sight.start)} to ${timeOfDay(sight.end)}; the figures are those of `,
      steady('span', state.pointer === null ? 'now.' : `${timeOfDay(at.time)}.`, [`${timeOfDay(sight.start)}.`])),
    h('div.pair',
      smallChart('Live instances', count, common, [
        { id: 'layer-0', title: 'live', isFilled: true, of: one => one.live },
      ]),
      smallChart('Memory', bytes, common, [
        { id: 'layer-2', title: 'resident', of: one => one.residentBytes },
        { id: 'layer-1', title: 'heap in use', isFilled: true, of: one => one.heapBytes },
      ]),
      smallChart('Processor time in % of one core', decimal, common, [
        { id: 'layer-3', title: '%', isFilled: true, of: one => one.cpu },
      ]),
      smallChart('Threads and descriptors', count, common, [
        { id: 'layer-4', title: 'threads', of: one => one.threads },
        { id: 'tokens', title: `open descriptors${limit}`, of: one => one.openFiles },
      ])),
  ];
}

/** The samples with the share of a processor since the one before; the first has that of the second. */
function samplesOf(samples) {
  return samples.map((sample, index) => {
    const [before, after] = index > 0 ? [samples[index - 1], sample] : [sample, samples[1] ?? sample];
    const seconds = (Date.parse(after.time) - Date.parse(before.time)) / 1000;
    const isKnown = seconds > 0 && after.cpuSeconds !== null;
    const cpu = isKnown ? Math.max(0, after.cpuSeconds - before.cpuSeconds) / seconds * 100 : null;
    return { ...sample, at: Date.parse(sample.time), cpu };
  });
}

/** Says that the memory rises while the live instances do not. */
export function finding(found, { isLinked = false } = {}) {
  if (!found) return null;
  const { bytesBefore, bytesNow, liveBefore, liveNow, periodSeconds } = found;
  return h('div.notice.warn', { key: 'finding' },
    h('p', h('strong', 'Memory rises, live instances do not. ')),
    h('p', `In ${duration(periodSeconds)} the memory in use rose from ${bytes(bytesBefore)} to ${bytes(bytesNow)}, `
      + `while the live instances went from ${count(liveBefore)} to ${count(liveNow)}. Something that is not traced `
      + 'keeps it: other classes, buffers, caches, or a C library.'),
    isLinked && h('p', h('a', { href: addressOf('process') }, 'Process')));
}
