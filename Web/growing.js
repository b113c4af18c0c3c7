// The stretches of time in which ever more instances of a type were live.

/** Milliseconds of a step, and the fewest steps of a stretch. */
const STEP = 10_000;
const FEWEST = 4;

/**
 * The stretches `{ start, end }` in which the live count of a type rose with every step, from the samples of the page;
 * the history counts only the types with the most instances.
 */
export function growingStretches(samples, type) {
  const steps = new Map();
  for (const { at, counts } of samples) {
    if (counts.has(type)) steps.set(Math.floor(at / STEP), { at, live: counts.get(type) });
  }
  const stretches = [];
  let stretch = [];
  const close = () => {
    if (stretch.length > FEWEST) stretches.push({ start: stretch[0].at, end: stretch.at(-1).at });
  };
  for (const one of steps.values()) {
    if (stretch.length > 0 && one.live <= stretch.at(-1).live) {
      close();
      stretch = [];
    }
    stretch.push(one);
  }
  close();
  return stretches;
}
