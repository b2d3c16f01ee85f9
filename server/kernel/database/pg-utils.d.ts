declare module 'pg/lib/utils.js' {
  /** Value as the PostgreSQL protocol sends it; throws if it can't be sent, such as a circular object. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
