import pg from 'pg';

const IN_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/;
const toDate: (written: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text');

/**
 * ISO 8601 text of an instant that the database wrote as text (`column::text`). Instants in UTC, which most databases
 * write, are not made into a Date: a list of events would spend a good part of its time on it.
 */
export function toIsoTime(written: string): string {
  const [, date, time, fraction = ''] = IN_UTC.exec(written) ?? [];
  if (date === undefined) return toDate(written).toISOString();
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
