/** Geometry of plots: pure functions from values to a scale and to the paths of an SVG. */

/** Values of a line or a layer, one for each interval; null where there is none. */
export interface Series {
  name: string;
  /** CSS color. */
  color: string;
  /** Dashes of a line, so that lines differ in more than color. */
  dashes?: string;
  values: readonly (number | null)[];
}

/** Width and height of a plot in the units of its SVG, which is stretched to its place. */
export const WIDTH = 1_000;
export const HEIGHT = 100;

const STEPS = [1, 2, 2.5, 5, 10];

/** Round number that is at least `value`, as the upper end of a scale; 1 if all values are 0. */
export function roundMaximum(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value) ?? 10) * power;
}

/** Upper end of a plot's scale: of its largest value, or of its highest stack. */
export function maximumOf(series: readonly Series[], isStacked: boolean): number {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const tops = Array.from({ length }, (_, index) => {
    const here = series.map(({ values }) => values[index] ?? 0);
    return isStacked ? here.reduce((sum, one) => sum + one, 0) : Math.max(0, ...here);
  });
  return roundMaximum(Math.max(0, ...tops));
}

/** SVG path of a line through the middle of each interval; it is interrupted where there are no values. */
export function linePath(values: readonly (number | null)[], maximum: number): string {
  const width = WIDTH / Math.max(1, values.length);
  let path = '';
  let isDown = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isDown = false;
      continue;
    }
    const x = round((index + 0.5) * width);
    const y = round(HEIGHT - (value / maximum) * HEIGHT);
    path += `${isDown ? 'L' : 'M'}${x} ${y}`;
    // A single point between two gaps is drawn as a short line, which the round ends of lines make visible.
    if (!isDown && (values[index + 1] ?? null) === null) path += `h.01`;
    isDown = true;
  }
  return path;
}

/** SVG path of a layer's bars on top of the layers before it. */
export function barsPath(layers: readonly Series[], layer: number, maximum: number): string {
  const values = layers[layer]?.values ?? [];
  const width = WIDTH / Math.max(1, values.length);
  let path = '';
  for (const [index, value] of values.entries()) {
    if (!value) continue;
    const below = layers.slice(0, layer).reduce((sum, { values: others }) => sum + (others[index] ?? 0), 0);
    const y = round(HEIGHT - (below / maximum) * HEIGHT);
    const height = round((value / maximum) * HEIGHT);
    path += `M${round(index * width)} ${y}h${round(width * 0.85)}v${-height}h${-round(width * 0.85)}z`;
  }
  return path;
}

/** Place of an instant on the time axis, from 0 to 1; null outside of it. */
export function placeOf(at: string, { since, until }: { since: string; until: string }): number | null {
  const place = (Date.parse(at) - Date.parse(since)) / (Date.parse(until) - Date.parse(since));
  return place >= 0 && place <= 1 ? place : null;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
