import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { assignColumns, selectColumns } from '../../kernel/database/rows.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { EventWrite } from '../events/write.ts';
import type { Shortfall } from '../guests/capacity/allocation.ts';
import { addGuest, saveAnswer } from '../guests/capacity/allocation.ts';
import { type Hold, rsvpOfHold } from '../guests/capacity/hold.ts';
import type { Guest } from '../guests/contract.ts';
import { DIETS, type GuestDetails, guestFields, NO_DETAILS } from '../guests/fields.ts';
import { partyOf } from '../guests/input.ts';
import { findGuestBy } from '../guests/rows.ts';
import type { OpenLinkEvent } from './confirmations.ts';
import { GuestRequest } from './contract.ts';
import type { RequestSelection } from './fields.ts';
import { messages } from './messages.ts';
import type { OpenLinkTerms } from './open-link-input.ts';
import { findSimilar } from './similar-guests.ts';
import { type InvitedEvent, invitedEventJson, parseDates } from './store.ts';

type Row = Omit<GuestRequest, 'may_be' | 'created_at' | 'decided_at'> & {
  created_at: Date;
  decided_at: Date | null;
};

const { may_be: _, ...stored } = GuestRequest.properties;
const requestColumns = selectColumns('guest_requests', Object.keys(stored));

/** Finds the event of an open link; undefined if the link is not open. */
export async function findOpenLink(db: Kysely<unknown>, slug: string): Promise<OpenLinkEvent | undefined> {
  const { rows } = await sql<{ event: InvitedEvent; slug: string } & OpenLinkTerms>`
    select ${invitedEventJson} as event, settings.slug, settings.registration, settings.accept_by_itself,
      settings.most_each, coalesce(settings.confirm_email, settings.accept_by_itself) as confirms_address
    from rsvp_settings settings
    join events on events.id = settings.event_id and events.deleted_at is null
    left join invitations invitation on invitation.event_id = events.id
    where settings.slug = ${toStorableText(slug)} and settings.open`.execute(db);
  if (!rows[0]) return undefined;
  const { event, ...terms } = rows[0];
  // If a request can be for one person only, its form asks neither about children nor for other names.
  const isForSeveral = terms.most_each > 1;
  return {
    ...parseDates(event),
    ...terms,
    children_asked: event.children_asked && isForSeveral,
    names_asked: event.names_asked && isForSeveral,
  };
}

/**
 * Declines waiting requests to come without a message to their authors: requests with the given ids, or all requests,
 * or all requests from the same network as one of them. Returns the number of declined requests.
 */
export async function declineRequests(
  { transaction, event, now, note }: EventWrite,
  chosen: RequestSelection,
): Promise<number> {
  const { request_ids: ids, filter: { same_network_as: one } = {} } = chosen;
  const named = ids ? sql`id = any(${[...ids]}::uuid[])` : sql`true`;
  const ofNetwork = one
    ? sql`(id = ${one} or network = (
        select network from guest_requests where id = ${one} and event_id = ${event.id}
      ))`
    : sql`true`;
  const { numAffectedRows = 0n } = await sql`
    update guest_requests set ${assignColumns({ status: 'declined', decided_at: now })}
    where event_id = ${event.id} and status = 'waiting' and ${named} and ${ofNetwork}`.execute(transaction);
  const declined = Number(numAffectedRows);
  if (declined > 0) note('guest_request', null, 'many_declined', { declined: { from: null, to: declined } });
  return declined;
}

/** Finds requests to come to an event by the requests' ids. Ids without a request are left out. */
export async function findRequests(
  db: Kysely<unknown>,
  eventId: string,
  ids: readonly string[],
): Promise<Map<string, GuestRequest>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select ${requestColumns} from guest_requests
    where id = any(${ids}::uuid[]) and event_id = ${eventId}`.execute(db);
  return new Map((await addSimilar(db, rows)).map((request) => [request.id, request]));
}

export async function listRequests(
  db: Kysely<unknown>,
  eventId: string,
  status: GuestRequest['status'] | undefined,
  page: Page,
): Promise<{ requests: GuestRequest[]; total: number }> {
  const matching = sql`event_id = ${eventId} ${status ? sql`and status = ${status}` : sql``}`;
  const source = { columns: requestColumns, from: sql`guest_requests where ${matching}`, order: sql`id` };
  const { rows, total } = await pageOfRows<Row>(db, source, page);
  return { requests: await addSimilar(db, rows), total };
}

/** Makes a guest of a request, or records it as the answer of a guest who is already on the list. */
export async function acceptRequest(
  write: EventWrite<{ id: string }>,
  requestId: string,
  hold?: Hold,
): Promise<{ request: GuestRequest; guest: Guest; short: Shortfall | undefined }> {
  const { transaction, event, now } = write;
  const asked = await requireWaitingRequest(transaction, event.id, requestId);
  const { phone, email, coming, coming_children, answers } = asked;
  const answer = { rsvp_status: 'confirmed' as const, coming, ...(coming_children && { coming_children }) };
  const origin = { via: 'open_link', action: 'accepted' } as const;
  const stored = await findGuestBy(transaction, event.id, { phone, email });
  const { guest, short } = stored
    ? await saveAnswer(
        write,
        stored,
        {
          details: {
            answers,
            ...partyOf({ ...mealsAndMessageOf(asked), ...membersFor(stored.guest, asked) }, stored.guest),
          },
          answer,
        },
        origin,
      )
    : await addGuest(write, await guestDetailsOf(write, asked), answer, origin, hold && rsvpOfHold(hold));
  return { request: await storeDecision(transaction, asked.id, 'accepted', now, guest.id), guest, short };
}

/**
 * Details of the guest who is made from a request to come. By accepting the request, the organizer invites as many
 * people as the request is for; later the guest can bring no more than the open link allows for each request.
 */
async function guestDetailsOf(
  { transaction, event }: EventWrite<{ id: string }>,
  asked: GuestRequest,
): Promise<GuestDetails> {
  const { name, phone, email, language, coming, coming_children, answers, company, role } = asked;
  const { rows } = await sql<Pick<OpenLinkTerms, 'most_each'>>`
    select most_each from rsvp_settings where event_id = ${event.id}`.execute(transaction);
  return {
    ...NO_DETAILS,
    ...mealsAndMessageOf(asked),
    members: asked.members,
    name,
    phone,
    email,
    answers,
    company,
    role,
    language: guestFields.language.type.read('language', language),
    party_size: coming,
    party_children: coming_children,
    max_plus_ones: Math.max((rows[0]?.most_each ?? coming) - coming, 0),
  };
}

/**
 * Meals and message in a request to come. Empty fields are left out, so that they do not erase what a guest already
 * has.
 */
function mealsAndMessageOf(asked: GuestRequest): Partial<GuestDetails> {
  const filled = (['message', 'allergies', ...DIETS] as const).filter((field) => asked[field]);
  return Object.fromEntries(filled.map((field) => [field, asked[field]]));
}

/** People by name in a request, for a guest on the list of whose party nobody is known by name. */
function membersFor({ members }: Pick<Guest, 'members'>, asked: GuestRequest): Partial<GuestDetails> {
  if (members.length > 0 || asked.members.length === 0) return {};
  return { members: asked.members.map((member) => ({ ...member, id: '' })) };
}

export async function declineRequest(
  { transaction, event, now, note }: EventWrite,
  requestId: string,
): Promise<GuestRequest> {
  const asked = await requireWaitingRequest(transaction, event.id, requestId);
  note('guest_request', asked.id, 'declined');
  return storeDecision(transaction, asked.id, 'declined', now, null);
}

async function requireWaitingRequest(
  transaction: Kysely<unknown>,
  eventId: string,
  requestId: string,
): Promise<GuestRequest> {
  const { rows } = isUuid(requestId)
    ? await sql<Row>`
        select ${requestColumns} from guest_requests where id = ${requestId} and event_id = ${eventId}`.execute(
        transaction,
      )
    : { rows: [] };
  if (!rows[0]) throw new Refusal(404, 'not_found', messages.noSuchRequest);
  if (rows[0].status !== 'waiting') throw new Refusal(409, 'decided', messages.requestDecided);
  return presentRequest(rows[0]);
}

async function storeDecision(
  transaction: Kysely<unknown>,
  id: string,
  status: 'accepted' | 'declined',
  now: Temporal.Instant,
  guestId: string | null,
): Promise<GuestRequest> {
  const { rows } = await sql<Row>`
    update guest_requests set ${assignColumns({ status, decided_at: now, guest_id: guestId })}
    where id = ${id} returning ${requestColumns}`.execute(transaction);
  if (!rows[0]) throw new Error('the request is gone');
  return presentRequest(rows[0]);
}

async function addSimilar(db: Kysely<unknown>, rows: readonly Row[]): Promise<GuestRequest[]> {
  const similar = await findSimilar(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...presentRequest(row), may_be: similar.get(row.id) ?? [] }));
}

function presentRequest(row: Row): GuestRequest {
  return {
    ...row,
    may_be: [],
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}
