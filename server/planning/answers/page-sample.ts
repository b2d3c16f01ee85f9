import { type Kysely, sql } from 'kysely';
import type { LanguageName } from '../../kernel/languages.ts';
import { NO_DETAILS } from '../guests/fields.ts';
import { guestPage } from './guest-page.ts';
import { closedReason } from './input.ts';
import { guestPageWords } from './messages.ts';
import { type InvitedEvent, type InvitedGuest, invitedEventJson, parseDates } from './store.ts';
import { PAGE_POLICY } from './style.ts';

/** Content security policy of a sample page. It can't send forms, and only pages of this server may embed it. */
export const SAMPLE_POLICY = `${PAGE_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox`;

export async function findInvitedEvent(db: Kysely<unknown>, eventId: string): Promise<InvitedEvent> {
  const { rows } = await sql<{ event: InvitedEvent }>`
    select ${invitedEventJson} as event
    from events
    left join rsvp_settings settings on settings.event_id = events.id
    left join invitations invitation on invitation.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  if (!rows[0]) throw new Error('an event that may be read is not there');
  return parseDates(rows[0].event);
}

/** Guest's page as a guest without an answer would see it. A draft is shown as if it were published. */
export function samplePage(
  stored: InvitedEvent,
  language: LanguageName,
  now: Temporal.Instant,
  publicUrl: string,
): string {
  const event = { ...stored, status: stored.status === 'draft' ? ('published' as const) : stored.status };
  return guestPage({
    event,
    guest: sampleGuest(language, event),
    language,
    closed: closedReason(event, now),
    saved: false,
    wanted: undefined,
    mistake: undefined,
    typed: undefined,
    path: '',
    publicUrl,
  });
}

function sampleGuest(
  language: LanguageName,
  { plus_ones_each }: Pick<InvitedEvent, 'plus_ones_each'>,
): InvitedGuest {
  return {
    ...NO_DETAILS,
    id: '',
    name: guestPageWords[language].sampleName,
    language,
    party_size: 2,
    coming: 0,
    coming_children: 0,
    rsvp_status: 'pending',
    maybe: false,
    waiting: false,
    up_to: null,
    may_bring: plus_ones_each,
    unsubscribed: false,
  };
}
