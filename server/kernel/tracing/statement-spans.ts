import type { LogEvent, Logger } from 'kysely';
import type { Tracing } from './tracing.ts';

const OPERATION = /^[\s(]*([a-z]+)/i;
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_][\w.]*)/i;

/**
 * Observer of all statements that Kysely runs, which adds each to the trace: its text, without the values of its
 * parameters. Undefined if traces are off, so that Kysely measures nothing.
 */
export function statementObserver(tracing: Tracing): Logger | undefined {
  if (!tracing.isOn) return undefined;
  return (event: LogEvent) => {
    const { query, queryDurationMillis: durationMs } = event;
    tracing.addPast(statementName(query.sql), {
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': query.sql.trim() },
      durationMs,
      ...(event.level === 'error' && { error: event.error }),
    });
  };
}

/** Short name of a statement: its first word, and the first table that it names, such as `select guests`. */
export function statementName(text: string): string {
  const operation = OPERATION.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const table = TABLE.exec(text)?.[1];
  return table === undefined ? operation : `${operation} ${table}`;
}
