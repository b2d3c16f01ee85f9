import { type RawBuilder, sql } from 'kysely';

const NOT_FOR_A_LINE = '[\\u0001-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]+';
/** Characters that JavaScript's `trim` removes, for SQL's `btrim`. */
const BLANK =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** SQL for the visible part of a text on one line, by the same rules as `toSingleLine`. */
export function oneLineSql(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`btrim(regexp_replace(${text}, ${NOT_FOR_A_LINE}::text, ' ', 'g'), ${BLANK}::text)`;
}
