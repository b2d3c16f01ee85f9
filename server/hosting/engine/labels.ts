export type Labels = Readonly<Record<string, string>>;

/** True if an engine's object has all of these labels. */
export function hasAll(labels: Labels, own: Labels | null): boolean {
  return Object.entries(labels).every(([name, value]) => own?.[name] === value);
}

/** Items of a list that have all of these labels: some lists of Podman's match any one of the labels. */
export function withAllLabels<T extends { Labels: Labels | null }>(labels: Labels, found: readonly T[]): T[] {
  return found.filter(({ Labels }) => hasAll(labels, Labels));
}

/** Filter of an engine's list by labels; Podman refuses an empty filter. */
export function labelFilter(labels: Labels): { label?: string[] } {
  const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return label.length > 0 ? { label } : {};
}
