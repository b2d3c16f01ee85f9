import { type Kysely, sql } from 'kysely';
import { type Clock, DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Language, Words } from '../../kernel/languages.ts';
import type { Forecast } from '../../kernel/mail/budget.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { mailMessages } from '../../kernel/mail/messages.ts';
import type { Page } from '../../kernel/paging.ts';
import { segmentsOf } from '../../kernel/texts/segments.ts';
import { isDayOfRest } from '../calendar/advice.ts';
import { findMissingIds } from '../guests/store.ts';
import { findTimeAndPlaceHistory, LAST_NOTIFIED_AT } from './audience.ts';
import { forecastRound } from './budget.ts';
import type { RoundPreview, SuggestedRound } from './contract.ts';
import { ALL_GUESTS, type NewRound } from './fields.ts';
import { hindranceOf, SUGGESTED_KINDS } from './kinds.ts';
import { type Addressee, addresseeColumns, type LetterContext, letterTo, smsTo, textTo } from './letter.ts';
import { messages } from './messages.ts';
import type { RoundEvent } from './round-event.ts';
import { type DryRunResult, dryRunRound } from './store.ts';
import { renderMessage, whatsAppMessageTo } from './templates.ts';
import { formerTimeAndPlaceFor } from './waiting-guests.ts';

export interface PreviewParts {
  db: Kysely<unknown>;
  clock: Clock;
  publicUrl: string;
  mail: Pick<Mail, 'forecast' | 'stopReasonOf'>;
}

/** Organizer who requests the preview of a round's message. */
export interface PreviewReader {
  language: Language;
  /** Mail address of the organizer, from their access token. It is not stored before they send a round. */
  email: string | undefined;
}

/** Preview of a round: who would get it, who is left out and why, and the text in each language. */
export async function previewRound(
  { db, clock, publicUrl, mail }: PreviewParts,
  host: string,
  event: RoundEvent,
  round: NewRound,
  page: Page,
  reader: PreviewReader,
): Promise<Omit<RoundPreview, 'page' | 'limit'>> {
  const eventId = event.id;
  const story = await findTimeAndPlaceHistory(db, eventId);
  const found = await dryRunRound(db, eventId, round, story, page);
  const firsts = found.byLanguage.map(({ first }) => first);
  const { rows } = await sql<
    Addressee & { email: string | null; phone: string | null; told_at: Date | null }
  >`
    select ${addresseeColumns}, guests.email, guests.phone, ${LAST_NOTIFIED_AT} as told_at
    from guests join events on events.id = guests.event_id
    left join invitations invitation on invitation.event_id = events.id
    where guests.id = any(${firsts}::uuid[])`.execute(db);
  const now = round.send_at ? Temporal.Instant.from(round.send_at) : clock();
  const [{ language_pref } = {}] = rows;
  const onDayOfRest =
    language_pref !== undefined && isDayOfRest(now, { zone: DEFAULT_ZONE, language: language_pref });
  const noReply = round.channel === 'mail' && !reader.email && rows.some(({ reply_to }) => reply_to === null);
  const forecast = await forecastRound(db, mail, event, round, found.chosen);
  // The preview shows no real personal link: its reader could use the link as the guest.
  const url = `${publicUrl}/r/…`;
  const letters = found.byLanguage.flatMap(({ language, guests, first }) => {
    const guest = rows.find(({ id }) => id === first);
    if (!guest) return [];
    const circumstances = { url, before: formerTimeAndPlaceFor(guest, story), now, host };
    return { language, guests, ...renderFor(guest, round, circumstances) };
  });
  return {
    dry_run: true,
    kind: round.kind,
    channel: round.channel,
    send_at: round.send_at,
    chosen: found.chosen,
    left_out: found.leftOut,
    not_found: await findMissingIds(db, eventId, round),
    warnings: warningsOf({ ...found, onDayOfRest, noReply, forecast }, reader.language),
    letters,
    guests: found.page,
    total: found.total,
  };
}

interface WarningFacts extends Pick<DryRunResult, 'chosen' | 'neverNotified' | 'invitedBefore'> {
  onDayOfRest: boolean;
  noReply: boolean;
  forecast: Forecast | undefined;
}

/** Warnings about likely mistakes of the organizer in a round of messages. */
function warningsOf(
  { chosen, neverNotified, invitedBefore, onDayOfRest, noReply, forecast }: WarningFacts,
  language: Language,
): RoundPreview['warnings'] {
  const say = messages.warnings;
  const isOver = forecast !== undefined && forecast.later + forecast.beyond > 0;
  const found: [RoundPreview['warnings'][number]['code'], Words | false][] = [
    ['nobody', chosen === 0 && say.nobody],
    ['not_invited', neverNotified > 0 && say.notInvited(neverNotified)],
    ['invited_before', invitedBefore > 0 && say.invitedBefore(invitedBefore)],
    ['day_of_rest', onDayOfRest && say.dayOfRest],
    ['no_reply', noReply && say.noReply],
    ['some_later', isOver && mailMessages.someLater(forecast)],
  ];
  return found.flatMap(([code, words]) => (words ? [{ code, message: words[language] }] : []));
}

/** Renders the message of a round as one guest would read it. */
function renderFor(
  guest: Addressee & { email: string | null; phone: string | null },
  round: NewRound,
  circumstances: LetterContext,
): Pick<RoundPreview['letters'][number], 'subject' | 'text' | 'html' | 'segments'> {
  const { email, phone } = guest;
  const noMail = { subject: null, html: null, segments: null };
  if (round.channel === 'mail' && email !== null) {
    const { subject, text, html } = letterTo({ ...guest, email }, round, circumstances);
    return { subject, text, html, segments: null };
  }
  if (round.channel === 'whatsapp' && phone !== null) {
    const message = whatsAppMessageTo({ ...guest, phone }, round, circumstances);
    return { ...noMail, text: renderMessage(message, round.kind, guest.language) };
  }
  if (round.channel === 'sms') {
    const text = smsTo(guest, round, circumstances);
    return { ...noMail, text, segments: segmentsOf(text) };
  }
  return { ...noMail, text: textTo(guest, round, circumstances) };
}

/** Suggested rounds: changes of time or place, a cancellation, and automatic messages that did not reach guests. */
export async function suggestRounds(
  db: Kysely<unknown>,
  event: RoundEvent,
  now: Temporal.Instant,
): Promise<SuggestedRound[]> {
  const kinds = SUGGESTED_KINDS.filter((kind) => !hindranceOf(kind, event, now));
  if (kinds.length === 0) return [];
  const story = await findTimeAndPlaceHistory(db, event.id);
  const nobodyShown = { page: 1, limit: 0, offset: 0n };
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const everybody = { ...ALL_GUESTS, kind, channel: 'mail' } as const;
      const { chosen, leftOut } = await dryRunRound(db, event.id, everybody, story, nobodyShown);
      const { no_email: without_email = 0, unsubscribed = 0 } = leftOut;
      return { kind, guests: chosen, without_email, unsubscribed };
    }),
  );
  return found.filter(({ guests, without_email, unsubscribed }) => guests + without_email + unsubscribed > 0);
}
