// While the page is paused, it shows the data of the moment of the pause.

import { pausedAt } from './route.js';

/** The parts of the state that come from the process without being asked for. */
const MOVING = ['hello', 'health', 'summary', 'verdicts', 'history'];

let frozen = null;

/**
 * The state to draw. A view that is opened during a pause shows its first answers, and keeps them.
 *
 * The state itself goes on, so that nothing is missing after the pause.
 */
export function shownState(state) {
  if (pausedAt() === null) {
    frozen = null;
    return state;
  }
  // A page that was opened with a pause in its address first needs something to show.
  if (!frozen && (!state.summary || state.history.samples.length < 2)) return state;
  frozen ??= { ...Object.fromEntries(MOVING.map(name => [name, state[name]])), answers: {} };
  const answers = Object.entries(state.answers).filter(([slot, answer]) => !isShown(frozen.answers[slot], answer));
  if (answers.length > 0) frozen.answers = { ...frozen.answers, ...Object.fromEntries(answers) };
  return { ...state, ...frozen };
}

/** Whether a frozen answer has data for the same request. */
function isShown(shown, answer) {
  return Boolean(shown?.data) && JSON.stringify(shown.want) === JSON.stringify(answer.want);
}
