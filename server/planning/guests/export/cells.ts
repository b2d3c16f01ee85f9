import type { Guest } from '../contract.ts';
import { COLUMNS, type Column } from '../import/headings.ts';
import { KASHRUT_WORDS, LANGUAGE_WORDS } from '../import/record.ts';
import { readablePhone } from '../phone.ts';

export type ExportLanguage = 'hebrew' | 'english';

const EXPORTED = [
  'name',
  'phone',
  'email',
  'tags',
  'party_size',
  'rsvp_status',
  'coming',
  'kashrut_level',
  'vegetarian',
  'vegan',
  'allergies',
  'message',
  'note',
  'language',
] as const satisfies readonly Column[];

const WORDS = {
  hebrew: {
    yes: 'כן',
    statuses: { confirmed: 'מגיעים', declined: 'לא מגיעים', pending: 'טרם ענו', waiting: 'ברשימת המתנה' },
  },
  english: {
    yes: 'yes',
    statuses: { confirmed: 'confirmed', declined: 'declined', pending: 'pending', waiting: 'waiting' },
  },
} as const;

/** The headings of an export: those an import knows. */
export function headingsIn(language: ExportLanguage): string[] {
  return EXPORTED.map((column) => COLUMNS[column][language][0]);
}

/** A guest as cells, in words that an import reads back as the same guest. */
export function cellsOf(guest: Guest, language: ExportLanguage): string[] {
  const { yes, statuses } = WORDS[language];
  const word = (value: string | null, hebrew: Readonly<Record<string, readonly string[]>>) =>
    (language === 'hebrew' && value ? hebrew[value]?.[0] : value) ?? '';
  const cells: Record<(typeof EXPORTED)[number], string> = {
    name: guest.name,
    phone: guest.phone ? readablePhone(guest.phone) : '',
    email: guest.email ?? '',
    tags: guest.tags.join(', '),
    party_size: String(guest.party_size),
    rsvp_status: statuses[guest.waiting_since ? 'waiting' : guest.rsvp_status],
    coming: guest.coming > 0 ? String(guest.coming) : '',
    kashrut_level: word(guest.kashrut_level, KASHRUT_WORDS),
    vegetarian: guest.vegetarian ? yes : '',
    vegan: guest.vegan ? yes : '',
    allergies: guest.allergies ?? '',
    message: guest.message ?? '',
    note: guest.note ?? '',
    language: word(guest.language, LANGUAGE_WORDS),
  };
  return EXPORTED.map((column) => cells[column]);
}
