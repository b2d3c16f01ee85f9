import { type RawBuilder, sql } from 'kysely';
import type { LanguageName } from '../../kernel/languages.ts';
import { type ByLanguage, inLanguage } from '../../kernel/takes.ts';

/** What an event is called: by itself, and by its invitation in each language. */
export interface Titled {
  title: string;
  language_pref: LanguageName;
  titles: ByLanguage | null;
}

/** And what is said of it. */
export interface Worded extends Titled {
  description: string | null;
  words: ByLanguage | null;
  picture_alt: ByLanguage | null;
}

/** The title for who reads `language`: in it, else in the event's own. */
export function titleIn({ title, titles, language_pref }: Titled, language: LanguageName): string {
  return titles?.[language] ?? titles?.[language_pref] ?? title;
}

/** The words for who reads `language`: in it, else in the event's own. */
export function wordsIn(
  { description, words, language_pref }: Worded,
  language: LanguageName,
): string | null {
  return words?.[language] ?? words?.[language_pref] ?? description;
}

/** What is said of the picture to who does not see it. */
export function altIn(event: Worded, language: LanguageName): string {
  return inLanguage(event.picture_alt, language, event.language_pref) || titleIn(event, language);
}

/** Title and words in SQL, of `events` and the row of `invitations` as `invitation`. */
export function worded(what: 'title' | 'words', language: RawBuilder<unknown>): RawBuilder<unknown> {
  const said = sql.ref(`invitation.${what}`);
  const own = what === 'title' ? sql`events.title` : sql`events.description`;
  return sql`coalesce(${said} ->> ${language}, ${said} ->> events.language_pref, ${own})`;
}
