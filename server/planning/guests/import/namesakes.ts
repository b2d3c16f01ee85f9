import { type Contacts, contactsOf } from '../contacts.ts';

/** Whether the rows of an imported file have any phone number or email address of an existing guest. */
export type NamesakeContacts = 'none' | 'in_file' | 'not_in_file';

/** Tells where the contacts of a guest are whose name a row of the file has. */
export function namesakeContactsOf(
  guest: Contacts,
  isInFile: (contact: string) => boolean,
): NamesakeContacts {
  const contacts = contactsOf(guest);
  if (contacts.length === 0) return 'none';
  return contacts.some(isInFile) ? 'in_file' : 'not_in_file';
}

/**
 * True if contacts show that a row and a guest of the same name, none of whose contacts the row has, are different
 * people. A guest whose contacts are in no row of the file may be the row's person with a corrected number.
 */
export function areDifferentPeople(guest: NamesakeContacts, isRowReachable: boolean): boolean {
  return isRowReachable && guest === 'in_file';
}
