import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { type ByLanguage, textInLanguage } from '../../kernel/field-types.ts';
import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { type CalendarEvent, calendarEntryId, eventCalendarFile } from '../answers/calendar.ts';
import { localDate } from '../answers/dates.ts';
import { addHebrewDate, type HebrewDateSource, hebrewDateColumns } from '../answers/hebrew-date.ts';
import { organizerEmail } from '../events/organizer-email.ts';
import { venueLine } from '../events/place.ts';
import { comingWords } from '../guests/people-words.ts';
import { sqlTextIn } from '../invitation/words.ts';
import { HAS_CALENDAR_ENTRY, MAILED_ENTRIES } from './calendar-entries.ts';
import { type LetterKind, rulesOfKind } from './kinds.ts';
import { actionOf, type LetterFacts, letterFoot } from './letter-words.ts';
import { wordsOfLetters } from './reply-words.ts';
import type { FormerTimeAndPlace } from './time-and-place.ts';

/** Hosts of an event, as the sender of a mail about it, and the event's title. */
export interface Sender {
  title: string;
  hosts: string | null;
  reply_to: string | null;
}

/** SQL columns of a `Sender` in a language, from `events` and its `invitations` row as `invitation`. */
export function senderColumns(language: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${sqlTextIn('title', language)} as title, ${sqlTextIn('hosts', language)} as hosts,
    coalesce(invitation.contact_email, ${organizerEmail('events')}) as reply_to`;
}

/**
 * Sender fields of a mail. Only the hosts are named: the event's title is free text, and could imitate another sender.
 */
export function senderFieldsOf(from: Sender): Pick<NewMail, 'onBehalfOf' | 'replyTo'> {
  const hosts = hostsOf(from);
  return { ...(hosts && { onBehalfOf: hosts }), ...(from.reply_to && { replyTo: from.reply_to }) };
}

/** Names of an event's hosts, without characters that would turn the name into a mail address. */
function hostsOf({ hosts }: Pick<Sender, 'hosts'>): string {
  return (hosts ?? '').replace(/[@<>]+/g, ' ').trim();
}

/** Data for a message to a guest: about the guest, the event, and the hosts who send the message. */
export interface Addressee extends Omit<CalendarEvent, 'event_date'>, Sender, HebrewDateSource {
  id: string;
  name: string;
  rsvp_status: 'confirmed' | 'pending' | 'declined';
  coming: number;
  waiting: boolean;
  maybe: boolean;
  language: LanguageName;
  /** Deadline for answers; null if there is none. */
  answer_until: Date | null;
  /** True if the guest was mailed a calendar entry, which was not cancelled since. */
  has_calendar_entry: boolean;
}

const readBy = sql`coalesce(guests.language, events.language_pref)`;

/** SQL columns of an `Addressee`, from `guests`, `events` and its `invitations` row as `invitation`. */
export const addresseeColumns = sql`
  guests.id, guests.event_id, guests.link_version, guests.name, guests.rsvp_status, guests.coming,
  guests.waiting_order is not null as waiting, guests.maybe, ${readBy} as language, events.language_pref, ${hebrewDateColumns},
  events.event_date, ${sqlTextIn('venue_name', readBy)} as venue_name, ${sqlTextIn('venue_address', readBy)} as venue_address,
  ${sqlTextIn('words', readBy)} as description, events.status, invitation.lasts_minutes,
  (select answer_until from rsvp_settings where event_id = events.id) as answer_until,
  events.version + coalesce(invitation.version, 0) + ${MAILED_ENTRIES} as sequence,
  ${HAS_CALENDAR_ENTRY} as has_calendar_entry, ${senderColumns(readBy)}`;

export interface RoundText {
  kind: LetterKind;
  subject: ByLanguage | null;
  message: ByLanguage | null;
}

export interface LetterContext {
  /** Personal link of the guest. */
  url: string;
  /** Former time and place of the event that the guest was told and that have changed since. */
  before: FormerTimeAndPlace;
  now: Temporal.Instant;
  host: string;
  /** Lines about the meals in the answer, for a letter that confirms it. */
  meals?: readonly string[];
}

/**
 * Mail of a round to one guest, in their language, with their personal link and one-click unsubscription (RFC 8058).
 */
export function letterTo(
  guest: Addressee & { email: string },
  round: RoundText,
  circumstances: LetterContext,
): NewMail {
  const { url, now, host } = circumstances;
  const { language: name } = guest;
  const language = languageCodeOf(name);
  const about = letterFactsOf(guest, circumstances);
  const say = wordsOfLetters[name][round.kind];
  const subject = textInLanguage(round.subject, name, guest.language_pref) || say.subject(about);
  const action = actionOf(say, about);
  const foot = letterFoot[name];
  const unsubscribe = `${url}/unsubscribe`;
  const letter = {
    language,
    title: subject,
    ...(rulesOfKind(round.kind).tellsTimeAndPlace && {
      glimpse: [about.date, about.place].filter(Boolean).join(' · '),
    }),
    paragraphs: paragraphsTo(guest, round, about, round.kind === 'invitation' ? guest.description : null),
    ...(action && { action: { label: action, url } }),
    footer: foot.because(guest.hosts, about),
    footerLink: { label: foot.unsubscribe, url: unsubscribe },
  };
  const calendar = calendarPart(guest, round.kind, { url, now, host });
  return {
    to: guest.email,
    language,
    subject,
    ...senderFieldsOf(guest),
    ...writeLetter(letter),
    ...(calendar && { calendar }),
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** Text of a round's message to one guest, to be sent by hand; it ends with the guest's link. */
export function textTo(
  guest: Addressee,
  round: RoundText,
  circumstances: Omit<LetterContext, 'host'>,
): string {
  return textOf(guest, round, circumstances, '\n\n');
}

/** SMS of a round to one guest. It leaves out the Hebrew date, because each part of an SMS costs money. */
export function smsTo(
  guest: Addressee,
  round: RoundText,
  circumstances: Omit<LetterContext, 'host'>,
): string {
  return textOf({ ...guest, hebrew_date: false }, round, circumstances, '\n');
}

function textOf(
  guest: Addressee,
  round: RoundText,
  { url, ...circumstances }: Omit<LetterContext, 'host'>,
  between: string,
): string {
  const about = letterFactsOf(guest, circumstances);
  const action = actionOf(wordsOfLetters[guest.language][round.kind], about);
  const paragraphs = paragraphsTo(guest, round, about);
  return [...paragraphs, ...(action ? [`${action}:\n${url}`] : [])].join(between);
}

/** Paragraphs of a round's message. `words` is the invitation's own text, for which only a mail has room. */
function paragraphsTo(
  guest: Addressee,
  round: RoundText,
  about: LetterFacts,
  words: string | null = null,
): string[] {
  const { lines, own } = contentOf(guest, round, about);
  const [lead = '', ...others] = lines;
  return [letterFoot[guest.language].hello(guest.name), lead, words ?? '', ...others, own].filter(Boolean);
}

/** Content of a round's message to a guest: the standard lines, some of them empty, and the organizer's own words. */
export function messageContent(
  guest: Addressee,
  round: RoundText,
  circumstances: Pick<LetterContext, 'before' | 'now'>,
): { lines: string[]; own: string } {
  return contentOf(guest, round, letterFactsOf(guest, circumstances));
}

function contentOf({ language, language_pref }: Addressee, { kind, message }: RoundText, about: LetterFacts) {
  return {
    lines: wordsOfLetters[language][kind].lines(about),
    own: textInLanguage(message, language, language_pref) ?? '',
  };
}

function letterFactsOf(
  guest: Addressee,
  { before, now, meals = [] }: Pick<LetterContext, 'before' | 'now' | 'meals'>,
): LetterFacts {
  const { language, title, hosts, waiting, maybe, registration, event_date: date, answer_until } = guest;
  const comes = guest.rsvp_status === 'confirmed';
  // A person who registered alone needs no line about the number of people: the greeting already names them.
  const alone = registration && guest.coming === 1;
  const comma = language === 'arabic' ? '، ' : ', ';
  const when = (at: Date | null) => (at ? localDate(at, language) : '');
  const place = venueLine(guest, comma);
  const formerDate = before.event_date ? when(new Date(before.event_date)) : '';
  return {
    title,
    hosts,
    waiting,
    maybe,
    declined: guest.rsvp_status === 'declined',
    meals,
    registers: registration,
    closed: answer_until !== null && answer_until.getTime() <= now.epochMilliseconds,
    coming: comes && !alone ? comingWords[languageCodeOf(language)](guest.coming) : '',
    date: date ? addHebrewDate(when(date), guest, language) : '',
    place,
    formerDate: formerDate === when(date) ? '' : formerDate,
    formerPlace: before.place ? venueLine(before.place, comma) : '',
    daysLeft: date ? daysBetween(now, date.toTemporalInstant()) : undefined,
  };
}

/** Number of calendar days in Israel between two instants. */
function daysBetween(now: Temporal.Instant, then: Temporal.Instant): number {
  const day = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
  return day(now).until(day(then)).days;
}

/** Calendar entry in a mail to a guest who comes; its cancellation if the event is cancelled or the guest declined. */
function calendarPart(
  guest: Addressee & { email: string },
  kind: LetterKind,
  { url, now, host }: Pick<LetterContext, 'url' | 'now' | 'host'>,
): NewMail['calendar'] {
  const { event_date, reply_to } = guest;
  const method = calendarMethodOf(guest, kind);
  if (!method || !event_date || !reply_to) return undefined;
  const content = eventCalendarFile(
    { ...guest, event_date },
    {
      method,
      uid: calendarEntryId(guest.id, host),
      stamp: now,
      url,
      organizer: { name: hostsOf(guest) || 'Simcha', email: reply_to },
      attendee: { name: guest.name, email: guest.email },
    },
  );
  return { method, content };
}

function calendarMethodOf(
  { rsvp_status, has_calendar_entry }: Addressee,
  kind: LetterKind,
): 'REQUEST' | 'CANCEL' | undefined {
  if (kind === 'answered' && rsvp_status === 'declined') return has_calendar_entry ? 'CANCEL' : undefined;
  if (rsvp_status !== 'confirmed') return undefined;
  if (kind === 'cancellation') return 'CANCEL';
  return WITH_CALENDAR_ENTRY.has(kind) ? 'REQUEST' : undefined;
}

const WITH_CALENDAR_ENTRY: ReadonlySet<LetterKind> = new Set([
  'change',
  'see_you',
  'moved_up',
  'accepted',
  'answered',
]);
