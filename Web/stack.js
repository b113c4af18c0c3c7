// The live instances of the largest types, stacked, and the rest.

const LAYERS = 5;

/** The series of a plot, the largest at the bottom, each with its `type`; null is the rest. */
export function stackOf(seen) {
  const largest = new Map();
  for (const { counts } of seen) {
    for (const [type, count] of counts) largest.set(type, count + (largest.get(type) ?? 0));
  }
  const types = [...largest].filter(([, sum]) => sum > 0)
    .sort(([a, less], [b, more]) => more - less || a.localeCompare(b)).slice(0, LAYERS).map(([type]) => type);
  const below = (sample, layers) =>
    types.slice(0, layers).reduce((sum, type) => sum + (sample.counts.get(type) ?? 0), 0);
  const layers = types.map((type, index) => ({
    id: `layer-${index}`, type, isFilled: true,
    of: sample => below(sample, index + 1), from: sample => below(sample, index),
  }));
  const rest = {
    id: 'layer-rest', type: null, isFilled: true,
    of: sample => sample.live, from: sample => below(sample, types.length),
  };
  return [...layers, rest];
}
