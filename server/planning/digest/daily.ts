import type { Kysely } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { readInBatches } from '../../kernel/database/batches.ts';
import { languageCodeOf, localeOf } from '../../kernel/languages.ts';
import { isMailAddress } from '../../kernel/mail/address.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { isDayOfRest } from '../calendar/advice.ts';
import { digestWords } from './messages.ts';
import {
  type DigestEvent,
  type DigestSection,
  findEventsForDigest,
  readDigestSections,
  recordDigest,
  SECTION_NAMES,
} from './store.ts';

export interface DigestParts {
  db: Kysely<unknown>;
  mail: Pick<Mail, 'enqueue'>;
  publicUrl: string;
}

/** Maximum number of names in each section of the daily mail to organizers. Further guests are only counted. */
const MOST_NAMES = 30;

/** Mails each organizer what guests did since the last digest. On Shabbat and holidays the digest waits. */
export async function sendDigests(
  { db, mail, publicUrl }: DigestParts,
  now: Temporal.Instant,
): Promise<void> {
  for await (const event of readInBatches((after, most) => findEventsForDigest(db, now, after, most))) {
    if (isDayOfRest(now, { zone: DEFAULT_ZONE, language: event.language_pref })) continue;
    await db.transaction().execute(async (transaction) => {
      const sections = await readDigestSections(transaction, event, MOST_NAMES);
      await recordDigest(transaction, event, now);
      const { email } = event;
      if (sections.length === 0 || email === null || !isMailAddress(email)) return;
      const origin = { urgency: 'service', sender: { id: event.organizer_id } } as const;
      await mail.enqueue(transaction, letterFor({ ...event, email }, sections, publicUrl), origin);
    });
  }
}

function letterFor(
  event: DigestEvent & { email: string },
  sections: DigestSection[],
  publicUrl: string,
): NewMail {
  const { id, title, language_pref, email: to, until } = event;
  const language = languageCodeOf(language_pref);
  const say = digestWords[language];
  const number = (value: number) => value.toLocaleString(localeOf(language_pref));
  const named = ({ count, names }: DigestSection) => {
    const listed = names.map(
      ({ name, coming }) => `${isolated(name)}${coming > 1 ? ` (${number(coming)})` : ''}`,
    );
    const others = count - names.length;
    return [...listed, ...(others > 0 ? [say.andMore(number(others))] : [])].join(say.comma);
  };
  const paragraphs = SECTION_NAMES.flatMap((kind) => sections.filter((one) => one.of === kind)).map((one) =>
    say.sections[one.of](number(one.count), named(one)),
  );
  const soFar = say.soFar({
    guests: number(event.rsvp_confirmed),
    people: number(event.people),
    waiting: number(event.waiting),
    maybe: event.maybe > 0 ? number(event.maybe) : undefined,
    pending: number(event.rsvp_pending - event.waiting - event.maybe),
    declined: number(event.rsvp_declined),
  });
  const subject = say.subject(title);
  const letter = writeLetter({
    language,
    title: subject,
    paragraphs: [...paragraphs, soFar],
    action: { label: say.action, url: publicUrl },
    footer: say.footer,
  });
  return { to, language, subject, ...letter, key: `digest:${id}:${until}` };
}

/**
 * Wraps a name in direction marks, so that a name in another script does not change the direction of the text around
 * it.
 */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
