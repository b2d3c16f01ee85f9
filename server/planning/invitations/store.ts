import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { parameter } from '../../kernel/database/transaction.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import type { Language } from '../../kernel/languages.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { sayProblem } from '../../kernel/mail/messages.ts';
import type { Page } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readableEvent } from '../events/access.ts';
import type { EventWrite } from '../events/write.ts';
import { matching } from '../guests/store.ts';
import type { InvitationRound, InvitedGuest } from './contract.ts';
import type { NewRound } from './fields.ts';
import { messages } from './messages.ts';

const MOST_A_DAY = 50;

interface Row {
  id: string;
  kind: InvitationRound['kind'];
  message: string | null;
  without_email: number;
  unsubscribed: number;
  created_at: Date;
  chosen: number;
  unwritten: number;
  skipped: number;
  answered: number;
  mail_ids: string[];
}

/** Rounds of mail to an event's guests. `enqueue` has a round worked on once the transaction commits. */
export function createInvitationStore(
  db: Kysely<unknown>,
  mail: Pick<Mail, 'reports'>,
  enqueue: (invitationId: string, transaction: Kysely<unknown>) => Promise<unknown>,
) {
  const find = async (
    through: Kysely<unknown>,
    eventId: string,
    { only, page }: { only?: string; page?: Page },
  ): Promise<InvitationRound[]> => {
    const { rows } = await sql<Row>`
      select round.id, round.kind, round.message, round.without_email, round.unsubscribed, round.created_at,
        count(chosen.guest_id)::integer as chosen,
        (count(*) filter (where chosen.status = 'waiting'))::integer as unwritten,
        (count(*) filter (where chosen.status = 'skipped'))::integer as skipped,
        (count(*) filter (where guests.answered_at >= round.created_at))::integer as answered,
        coalesce(array_agg(chosen.mail_id) filter (where chosen.mail_id is not null), '{}') as mail_ids
      from (
        select * from invitations where event_id = ${eventId} ${only ? sql`and id = ${only}` : sql``}
        order by id desc ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}
      ) round
      left join invitation_guests chosen on chosen.invitation_id = round.id
      left join guests on guests.id = chosen.guest_id
      group by round.id, round.kind, round.message, round.without_email, round.unsubscribed, round.created_at
      order by round.id desc`.execute(through);
    // A round that was only just made has no mail yet to ask about.
    const ids = rows.flatMap((row) => row.mail_ids);
    const states = new Map(
      (ids.length > 0 ? await mail.reports(ids) : []).map(({ id, status }) => [id, status]),
    );
    return rows.map((row) => shown(row, states));
  };

  return {
    /** Chooses the guests of a new round; their mails are written once it commits. */
    async add({ transaction, event, now, note }: EventWrite, round: NewRound): Promise<InvitationRound> {
      const { kind, message, guest_ids, filter } = round;
      await refuseTooMany(transaction, event.id, now);
      const meant = sql`${matching(event.id, filter)}
        ${guest_ids ? sql`and guests.id = any(${guest_ids}::uuid[])` : sql``}
        ${kind === 'reminder' ? sql`and guests.rsvp_status = 'pending' and guests.waiting_order is null` : sql``}`;
      const id = newId();
      await sql`
        insert into invitations (id, event_id, kind, message, without_email, unsubscribed, created_at)
        select ${id}::uuid, ${event.id}::uuid, ${kind}, ${message},
          count(*) filter (where email is null),
          count(*) filter (where email is not null and unsubscribed_at is not null), ${parameter(now)}::timestamptz
        from guests where ${meant}`.execute(transaction);
      await sql`
        insert into invitation_guests (invitation_id, guest_id)
        select ${id}::uuid, guests.id from guests
        where ${meant} and guests.email is not null and guests.unsubscribed_at is null`.execute(transaction);
      await enqueue(id, transaction);
      note('invitation', id, 'sent');
      const [added] = await find(transaction, event.id, { only: id });
      return known(added);
    },

    async list(
      caller: Caller,
      eventId: string,
      page: Page,
    ): Promise<{ invitations: InvitationRound[]; total: number }> {
      const event = await readableEvent(db, caller, eventId);
      const { rows } = await sql<{ total: number }>`
        select count(*)::integer as total from invitations where event_id = ${event.id}`.execute(db);
      return { invitations: await find(db, event.id, { page }), total: rows[0]?.total ?? 0 };
    },

    async read(caller: Caller, eventId: string, id: string): Promise<InvitationRound> {
      const event = await readableEvent(db, caller, eventId);
      const [round] = isUuid(id) ? await find(db, event.id, { only: id }) : [];
      return known(round);
    },

    async guests(
      caller: Caller,
      eventId: string,
      id: string,
      { limit, offset }: Page,
      language: Language,
    ): Promise<{ guests: InvitedGuest[]; total: number }> {
      const round = await this.read(caller, eventId, id);
      const { rows } = await sql<
        Omit<InvitedGuest, 'mail' | 'problem' | 'problem_code'> & { status: string; mail_id: string | null }
      >`
        select chosen.guest_id, guests.name, guests.email, chosen.status, chosen.mail_id,
          coalesce(guests.answered_at >= round.created_at, false) as answered
        from invitation_guests chosen
        join invitations round on round.id = chosen.invitation_id
        join guests on guests.id = chosen.guest_id
        where chosen.invitation_id = ${round.id}
        order by guests.search, guests.id limit ${limit} offset ${offset}`.execute(db);
      const ids = rows.flatMap(({ mail_id }) => mail_id ?? []);
      const reports = new Map(
        (ids.length > 0 ? await mail.reports(ids) : []).map((report) => [report.id, report]),
      );
      const guests = rows.map(({ status, mail_id, ...guest }): InvitedGuest => {
        if (status !== 'mailed')
          return { ...guest, mail: status === 'skipped' ? 'skipped' : 'waiting', ...unproblematic };
        const report = reports.get(mail_id ?? '');
        const mail = { queued: 'waiting', sent: 'sent', refused: 'bounced', gone: 'unknown' } as const;
        const problem = report?.problem;
        return {
          ...guest,
          mail: mail[report?.status ?? 'gone'],
          ...(problem
            ? { problem: sayProblem(problem, language), problem_code: problem.code }
            : unproblematic),
        };
      });
      return { guests, total: round.chosen };
    },
  };
}

const unproblematic = { problem: null, problem_code: null };

function shown(row: Row, states: ReadonlyMap<string, 'queued' | 'sent' | 'refused'>): InvitationRound {
  const { mail_ids, unwritten, created_at, ...round } = row;
  const count = (status: string) => mail_ids.filter((id) => states.get(id) === status).length;
  return {
    ...round,
    created_at: created_at.toISOString(),
    waiting: unwritten + count('queued'),
    sent: count('sent'),
    bounced: count('refused'),
  };
}

function known(round: InvitationRound | undefined): InvitationRound {
  if (!round) throw new Refusal(404, 'not_found', messages.noSuchInvitation);
  return round;
}

async function refuseTooMany(
  transaction: Kysely<unknown>,
  eventId: string,
  now: Temporal.Instant,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from invitations
    where event_id = ${eventId} and created_at > ${parameter(now.subtract({ hours: 24 }))}`.execute(
    transaction,
  );
  if ((rows[0]?.count ?? 0) >= MOST_A_DAY) {
    throw new Refusal(429, 'too_many_requests', messages.tooMany, {
      headers: { 'retry-after': '3600' },
    });
  }
}
