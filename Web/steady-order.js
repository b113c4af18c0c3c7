// The order of the cards while the page stays on a view: nothing moves under the reader's hand.

/** The places of the cards seen so far: of their verdicts, and of their retain paths. */
let places = new Map();

/** The groups in the order in which they were first seen; new ones follow. */
export function inSteadyOrder(groups) {
  const keys = ({ fingerprint, retainPath }) => [fingerprint, `${fingerprint} ${retainPath?.fingerprint}`];
  for (const key of groups.flatMap(keys)) {
    if (!places.has(key)) places.set(key, places.size);
  }
  const [verdict, path] = [0, 1].map(index => group => places.get(keys(group)[index]));
  return groups.toSorted((a, b) => verdict(a) - verdict(b) || path(a) - path(b));
}

/** Starts anew: the page shows another view. */
export function forgetOrder() {
  places = new Map();
}
