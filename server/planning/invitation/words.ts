import { type RawBuilder, sql } from 'kysely';
import { oneLineSql } from '../../kernel/database/one-line.ts';
import { type ByLanguage, textInLanguage } from '../../kernel/field-types.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { toSingleLine } from '../../kernel/one-line.ts';
import { currentVenueField } from '../events/place.ts';

/** Title of an event, and the titles that its invitation has in other languages. */
export interface EventTitles {
  title: string;
  language_pref: LanguageName;
  titles: ByLanguage | null;
}

/** Texts about an event, and the texts that its invitation has in other languages. */
export interface EventWording extends EventTitles {
  description: string | null;
  words: ByLanguage | null;
  venue_name: string;
  venue_names: ByLanguage | null;
  venue_address: string | null;
  venue_addresses: ByLanguage | null;
  hosts: ByLanguage | null;
  contact_name: ByLanguage | null;
  picture_alt: ByLanguage | null;
}

/** Texts about the event for readers of one language. Names that are stored on several lines are on one line here. */
export interface EventTexts {
  title: string;
  description: string | null;
  venue_name: string;
  venue_address: string | null;
  hosts: string | null;
  contact_name: string | null;
  /** Description of the invitation's picture for people who can't see it. */
  picture_alt: string;
}

/**
 * Title of an event for readers of `language`: the invitation's title in that language, else in the event's language,
 * else the title of the event itself.
 */
export function titleIn({ title, titles, language_pref }: EventTitles, language: LanguageName): string {
  return toSingleLine(titles?.[language] ?? titles?.[language_pref] ?? title);
}

/**
 * Texts of an invitation for readers of `language`: in that language, else in the event's language. Names are taken
 * from any language if these two have none.
 */
export function textsIn(event: EventWording, language: LanguageName): EventTexts {
  const { language_pref } = event;
  const inEventLanguage = (texts: ByLanguage | null) => texts?.[language] ?? texts?.[language_pref];
  const named = (texts: ByLanguage | null) => textInLanguage(texts, language, language_pref) || null;
  const title = titleIn(event, language);
  const address = inEventLanguage(event.venue_addresses) ?? event.venue_address;
  return {
    title,
    description: inEventLanguage(event.words) ?? event.description,
    venue_name: toSingleLine(inEventLanguage(event.venue_names) ?? event.venue_name),
    venue_address: address && toSingleLine(address),
    hosts: named(event.hosts),
    contact_name: named(event.contact_name),
    picture_alt: named(event.picture_alt) ?? title,
  };
}

const TEXT_SOURCES = {
  title: [sql`invitation.title`, sql`events.title`],
  words: [sql`invitation.words`, sql`events.description`],
  venue_name: [currentVenueField('venue_name'), sql`events.venue_name`],
  venue_address: [currentVenueField('venue_address'), sql`events.venue_address`],
  hosts: [
    sql`invitation.hosts`,
    sql`(
      select name from jsonb_each_text(invitation.hosts) with ordinality as each(language, name, place)
      order by place limit 1
    )`,
  ],
} as const;

/**
 * SQL expression for one of the texts that `textsIn` gives. The query has `events`, and joins `invitations` as
 * `invitation`.
 */
export function sqlTextIn(
  what: keyof typeof TEXT_SOURCES,
  language: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [texts, own] = TEXT_SOURCES[what];
  const text = sql`coalesce((${texts}) ->> ${language}, (${texts}) ->> events.language_pref, ${own})`;
  return what === 'words' ? text : oneLineSql(text);
}
