import { type Kysely, type RawBuilder, sql } from 'kysely';
import { Refusal } from '../../kernel/refusal.ts';
import { type GuestDetails, NO_DETAILS } from './fields.ts';
import { messages } from './messages.ts';
import { isMobile, readablePhone } from './phone.ts';

// Phone numbers and email addresses of a guest. The main ones are written to; all of them identify the guest.

/** Kinds of contacts: for each, the column of the main value and the column of the guest's other values. */
const KINDS = [
  ['phone', 'other_phones'],
  ['email', 'other_emails'],
] as const;
type Kind = (typeof KINDS)[number][0];

export type Contacts = Pick<GuestDetails, (typeof KINDS)[number][number]>;

/** All phone numbers and email addresses of a guest. */
export function contactsOf({ phone, other_phones, email, other_emails }: Partial<Contacts>): string[] {
  const values = [phone, ...(other_phones ?? []), email, ...(other_emails ?? [])];
  return values.filter((value) => typeof value === 'string');
}

/**
 * Details of a guest with consistent contacts: no phone number or email address occurs twice, and a guest who has other
 * ones also has a main one. If the main one is removed, one of the others takes its place, a mobile number if possible.
 */
export function withMainContacts(
  details: Partial<GuestDetails>,
  now: Contacts = NO_DETAILS,
): Partial<GuestDetails> {
  const merged = { ...details };
  for (const [main, others] of KINDS) {
    if (details[main] === undefined && details[others] === undefined) continue;
    const given = details[others] ?? now[others];
    const first = details[main] === undefined ? now[main] : details[main];
    const chosen = first ?? given.find((one) => main === 'phone' && isMobile(one)) ?? given[0] ?? null;
    const left = given.filter((one) => one !== chosen);
    if (details[main] !== undefined || chosen !== now[main]) merged[main] = chosen;
    if (details[others] !== undefined || left.length !== given.length) merged[others] = left;
  }
  return merged;
}

/**
 * SQL conditions for guests who have a phone number or an email address (`value`): one for the main column, one for the
 * column of others. Each condition has an index.
 */
export function contactConditions(kind: Kind, value: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const [main, others] = KINDS.find(([one]) => one === kind) ?? KINDS[0];
  const [column, list] = [sql.ref(`guests.${main}`), sql.ref(`guests.${others}`)];
  return [sql`${column} = ${value}`, sql`${list} <> '{}' and ${list} @> array[${value}]::text[]`];
}

/** SQL condition for guests who have a phone number or an email address, as a main one or another one. */
export function hasContact(kind: Kind, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const each = contactConditions(kind, value).map((condition) => sql`(${condition})`);
  return sql`(${sql.join(each, sql` or `)})`;
}

/**
 * Refuses the phone numbers and email addresses in `details` that another guest of the event has: a 409 that names the
 * guest. The event is locked, so nobody else takes one before the write.
 */
export async function refuseTakenContacts(
  db: Kysely<unknown>,
  eventId: string,
  guestId: string,
  details: Partial<Contacts>,
): Promise<void> {
  for (const [kind, others] of KINDS) {
    for (const value of contactsOf({ [kind]: details[kind], [others]: details[others] })) {
      const { rows } = await sql<{ name: string }>`
        select name from guests
        where event_id = ${eventId} and id <> ${guestId} and ${hasContact(kind, sql`${value}::text`)} limit 1`.execute(
        db,
      );
      const [owner] = rows;
      if (!owner) continue;
      const shown = kind === 'phone' ? readablePhone(value) : value;
      const field = value === details[kind] ? kind : others;
      throw new Refusal(409, 'duplicate', messages.duplicateContact[kind](shown, owner.name), { field });
    }
  }
}
