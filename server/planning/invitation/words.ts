import { type RawBuilder, sql } from 'kysely';
import type { LanguageName } from '../../kernel/languages.ts';
import type { ByLanguage } from '../../kernel/takes.ts';

/** What an event is called, and what is said of it: its own, and the invitation's by language. */
export interface Worded {
  title: string;
  description: string | null;
  language_pref: LanguageName;
  titles: ByLanguage | null;
  words: ByLanguage | null;
}

/** The title for who reads `language`: in it, else in the event's own. */
export function titleIn({ title, titles, language_pref }: Worded, language: LanguageName): string {
  return titles?.[language] ?? titles?.[language_pref] ?? title;
}

/** The words for who reads `language`: in it, else in the event's own. */
export function wordsIn(
  { description, words, language_pref }: Worded,
  language: LanguageName,
): string | null {
  return words?.[language] ?? words?.[language_pref] ?? description;
}

/** The same in SQL, of `events` and the row of `invitations` as `invitation`. */
export function worded(what: 'title' | 'words', language: RawBuilder<unknown>): RawBuilder<unknown> {
  const said = sql.ref(`invitation.${what}`);
  const own = what === 'title' ? sql`events.title` : sql`events.description`;
  return sql`coalesce(${said} ->> ${language}, ${said} ->> events.language_pref, ${own})`;
}
