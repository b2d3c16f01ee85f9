import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Page } from '../../kernel/paging.ts';
import { segmentsOf } from '../../kernel/texts/segments.ts';
import { storyOf, TOLD_AT } from './audience.ts';
import type { RoundPreview, SuggestedRound } from './contract.ts';
import { EVERYBODY, type NewRound } from './fields.ts';
import { hindranceOf, SUGGESTED_KINDS } from './kinds.ts';
import { type Addressee, addressee, type Circumstances, letterTo, smsTo, textTo } from './letter.ts';
import type { OpenOccasion } from './occasion.ts';
import { tryOut } from './store.ts';
import { messageTo, shownMessage } from './templates.ts';
import { toldBefore } from './waiting.ts';

export interface PreviewParts {
  db: Kysely<unknown>;
  clock: Clock;
  publicUrl: string;
}

/** Who would get a round, who would not and why, and what it would say in each language. */
export async function previewOf(
  { db, clock, publicUrl }: PreviewParts,
  host: string,
  eventId: string,
  round: NewRound,
  page: Page,
): Promise<Omit<RoundPreview, 'page' | 'limit'>> {
  const story = await storyOf(db, eventId);
  const found = await tryOut(db, eventId, round, story, page);
  const firsts = found.byLanguage.map(({ first }) => first);
  const { rows } = await sql<
    Addressee & { email: string | null; phone: string | null; told_at: Date | null }
  >`
    select ${addressee}, guests.email, guests.phone, ${TOLD_AT} as told_at
    from guests join events on events.id = guests.event_id
    left join invitations invitation on invitation.event_id = events.id
    where guests.id = any(${firsts}::uuid[])`.execute(db);
  const now = round.send_at ? Temporal.Instant.from(round.send_at) : clock();
  // A real link would be theirs who reads the preview.
  const url = `${publicUrl}/r/…`;
  const letters = found.byLanguage.flatMap(({ language, guests, first }) => {
    const guest = rows.find(({ id }) => id === first);
    if (!guest) return [];
    const circumstances = { url, before: toldBefore(guest, story), now, host };
    return { language, guests, ...shownTo(guest, round, circumstances) };
  });
  return {
    dry_run: true,
    kind: round.kind,
    channel: round.channel,
    send_at: round.send_at,
    chosen: found.chosen,
    left_out: found.leftOut,
    letters,
    guests: found.page,
    total: found.total,
  };
}

/** A round as one guest would read it. */
function shownTo(
  guest: Addressee & { email: string | null; phone: string | null },
  round: NewRound,
  circumstances: Circumstances,
): Pick<RoundPreview['letters'][number], 'subject' | 'text' | 'html' | 'segments'> {
  const { email, phone } = guest;
  const noMail = { subject: null, html: null, segments: null };
  if (round.channel === 'mail' && email !== null) {
    const { subject, text, html } = letterTo({ ...guest, email }, round, circumstances);
    return { subject, text, html, segments: null };
  }
  if (round.channel === 'whatsapp' && phone !== null) {
    const message = messageTo({ ...guest, phone }, round, circumstances);
    return { ...noMail, text: shownMessage(message, round.kind, guest.language) };
  }
  if (round.channel === 'sms') {
    const text = smsTo(guest, round, circumstances);
    return { ...noMail, text, segments: segmentsOf(text) };
  }
  return { ...noMail, text: textTo(guest, round, circumstances) };
}

/** What guests should be told now: that it is elsewhere, at another time, or not at all; what reached nobody by itself. */
export async function suggestionsFor(
  db: Kysely<unknown>,
  event: OpenOccasion,
  now: Temporal.Instant,
): Promise<SuggestedRound[]> {
  const kinds = SUGGESTED_KINDS.filter((kind) => !hindranceOf(kind, event, now));
  if (kinds.length === 0) return [];
  const story = await storyOf(db, event.id);
  const nobodyShown = { page: 1, limit: 0, offset: 0n };
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const everybody = { ...EVERYBODY, kind, channel: 'mail' } as const;
      const { chosen, leftOut } = await tryOut(db, event.id, everybody, story, nobodyShown);
      const without_email = (leftOut.no_email ?? 0) + (leftOut.unsubscribed ?? 0);
      return { kind, guests: chosen, without_email };
    }),
  );
  return found.filter(({ guests, without_email }) => guests + without_email > 0);
}
