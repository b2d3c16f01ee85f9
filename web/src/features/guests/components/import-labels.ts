import { useWords } from '../../../lib/language-context.tsx';
import type { ImportColumn } from '../api/import.ts';
import { words } from '../import-words.ts';
import { words as guestWords } from '../words.ts';

/** Guest fields that a column of an imported file can fill, the most frequent first. */
export const FIELDS = [
  ...([
    'name',
    'first_name',
    'last_name',
    'phone',
    'other_phones',
    'email',
    'party_size',
    'party_children',
    'tags',
  ] as const),
  ...(['rsvp_status', 'coming', 'coming_children', 'note', 'allergies', 'vegetarian', 'vegan'] as const),
  ...(['kosher', 'mehadrin', 'chalav_yisrael', 'childrens_meals', 'kashrut_level', 'table'] as const),
  ...(['partner', 'husband', 'wife', 'adults', 'middle_name', 'labels', 'max_plus_ones'] as const),
  ...(['household', 'person', 'person_child', 'person_meal', 'person_allergies', 'person_coming'] as const),
  ...(['message', 'language', 'company', 'role', 'other_emails', 'id', 'ignore'] as const),
];
export type Field = (typeof FIELDS)[number];

/**
 * Guest fields for which the key of the label in the guest form's catalogue differs from the field's name in the API.
 */
const GUESTS = { rsvp_status: 'answer', max_plus_ones: 'plusOnes' } as const;

/** Returns a function that names a guest field for the import, with the labels of the guest form. */
export function useFieldLabel(): (field: Field) => string {
  const say = useWords(words);
  const sayOfGuest = useWords(guestWords);
  return (field) => {
    if (field in words) return say(field as keyof typeof words & Field);
    const key = field in GUESTS ? GUESTS[field as keyof typeof GUESTS] : field;
    return sayOfGuest(key as Exclude<Field, keyof typeof GUESTS | keyof typeof words>);
  };
}

/** Returns a function that names an imported row: its number, and its sheet if the file has several. */
export function useRowName(): (ref: string, title?: string) => string {
  const say = useWords(words);
  return (ref, title) => {
    const [, sheet, row = ref] = /^(?:(.*)!)?[A-Z]*(\d+)$/s.exec(ref) ?? [];
    const place = [sheet, title].filter((part) => part !== undefined).join(' · ');
    return place ? say('rowOf', { place, row }) : say('rowNumber', { row });
  };
}

/** Returns a function for the name of a column of the imported file: its heading, or its letters if it has none. */
export function useColumnName(): (column: Pick<ImportColumn, 'column' | 'heading'>) => string {
  const say = useWords(words);
  return ({ column, heading }) => heading || say('columnNamed', { letters: column });
}
