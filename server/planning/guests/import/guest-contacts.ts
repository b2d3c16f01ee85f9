import { type Contacts, contactsOf } from '../contacts.ts';
import { type GuestDetails, MOST_OTHERS } from '../fields.ts';
import { readablePhone } from '../phone.ts';
import { areDifferentPeople } from './names.ts';
import type { SheetGuest } from './read.ts';

/**
 * Person who has a phone number or an email address: a guest of the event, or the guest of a row above in the imported
 * file.
 */
export interface ContactOwner {
  name: string;
}

/**
 * Row of an imported file, without additional phone numbers and email addresses that somebody with quite another name
 * has too, such as the landline of relatives. These go into the guest's note. `ownerOf` finds that other person.
 */
export function withoutSharedContacts(
  body: SheetGuest,
  ownerOf: (contact: string) => ContactOwner | undefined,
): SheetGuest {
  const { name = '', other_phones = [], other_emails = [] } = body.details;
  const isShared = (contact: string) => {
    const owner = ownerOf(contact);
    return owner !== undefined && areDifferentPeople(name, owner.name);
  };
  const shared = new Set([...other_phones, ...other_emails].filter(isShared));
  if (shared.size === 0) return body;
  const isOwn = (contact: string) => !shared.has(contact);
  return {
    ...body,
    details: {
      ...body.details,
      other_phones: other_phones.filter(isOwn),
      other_emails: other_emails.filter(isOwn),
    },
    addenda: [...body.addenda, ...[...shared].map(readableContact)],
  };
}

/**
 * Row of an imported file without any phone number and email address that somebody with quite another name has. These go
 * into the guest's note. The first contact that is left becomes the main one.
 */
export function withoutContactsOfOthers(
  body: SheetGuest,
  ownerOf: (contact: string) => ContactOwner | undefined,
): SheetGuest {
  const { phone, other_phones = [], email, other_emails = [], ...details } = body.details;
  const isOwn = (contact: string) => {
    const owner = ownerOf(contact);
    return owner === undefined || !areDifferentPeople(details.name ?? '', owner.name);
  };
  const given = contactsOf(body.details);
  const [ownPhone, ...phones] = [phone, ...other_phones]
    .filter((one) => typeof one === 'string')
    .filter(isOwn);
  const [ownEmail, ...emails] = [email, ...other_emails]
    .filter((one) => typeof one === 'string')
    .filter(isOwn);
  return {
    ...body,
    details: {
      ...details,
      ...(ownPhone && { phone: ownPhone, other_phones: phones }),
      ...(ownEmail && { email: ownEmail, other_emails: emails }),
    },
    addenda: [...body.addenda, ...given.filter((one) => !isOwn(one)).map(readableContact)],
  };
}

/**
 * Contacts of a guest after a row of the imported file about them. If the row names the guest by id, its contacts
 * replace the guest's. Otherwise they are added to the guest's: a new number becomes the main one, and the former one
 * stays among the others; a known number changes nothing. Contacts beyond the limit go into the note.
 */
export function mergeContacts(
  { id, details, addenda }: SheetGuest,
  guest: Contacts,
): Pick<SheetGuest, 'details' | 'addenda'> {
  if (id !== undefined) return { details, addenda };
  const { phone, other_phones, email, other_emails, ...others } = details;
  const phones = merged([phone, ...(other_phones ?? [])], [guest.phone, ...guest.other_phones]);
  const emails = merged([email, ...(other_emails ?? [])], [guest.email, ...guest.other_emails]);
  const changed: Partial<GuestDetails> = {
    ...(phones && { phone: phones.main, other_phones: phones.others.slice(0, MOST_OTHERS) }),
    ...(emails && { email: emails.main, other_emails: emails.others.slice(0, MOST_OTHERS) }),
  };
  const beyond = [phones, emails].flatMap((kind) => kind?.others.slice(MOST_OTHERS) ?? []);
  return { details: { ...others, ...changed }, addenda: [...addenda, ...beyond.map(readableContact)] };
}

/**
 * Main and other phone numbers (or email addresses) of a guest after a row's are added; undefined if none of the row's
 * is new.
 */
function merged(
  given: readonly (string | null | undefined)[],
  stored: readonly (string | null)[],
): { main: string; others: string[] } | undefined {
  const known = stored.filter((contact) => contact !== null);
  const added = given.filter((contact) => typeof contact === 'string').filter((one) => !known.includes(one));
  const [first] = given;
  const main = first && added.includes(first) ? first : (known[0] ?? added[0]);
  if (added.length === 0 || main === undefined) return undefined;
  return { main, others: [...known, ...added].filter((contact) => contact !== main) };
}

export function readableContact(contact: string): string {
  return contact.startsWith('+') ? readablePhone(contact) : contact;
}
