import type { Say } from '../../../lib/words.ts';
import type { Member } from '../api/members.ts';
import type { words } from '../words.ts';
import type { GuestValues } from './guest-values.ts';

export const GUEST_LABELS = {
  name: 'name',
  phone: 'phone',
  other_phones: 'other_phones',
  email: 'email',
  other_emails: 'other_emails',
  language: 'language',
  tags: 'tags',
  party_size: 'party',
  party_children: 'children',
  max_plus_ones: 'plusOnes',
  answer: 'answer',
  coming: 'coming',
  coming_children: 'childrenCome',
  vegetarian: 'vegetarian',
  vegan: 'vegan',
  kosher: 'kosher',
  mehadrin: 'mehadrin',
  chalav_yisrael: 'chalav_yisrael',
  childrens_meals: 'childrens_meals',
  members: 'members',
  allergies: 'allergies',
  answers: 'questions',
  note: 'note',
  message: 'message',
  company: 'company',
  role: 'role',
} as const satisfies Record<keyof GuestValues, keyof typeof words>;

/** Formats a value of the guest form, to compare it with the value of another version. */
export function formatGuestValue(
  name: keyof GuestValues,
  value: GuestValues[keyof GuestValues],
  say: Say<typeof words>,
): string {
  if (name === 'answer') return say(value as GuestValues['answer']);
  if (name === 'members')
    return (value as Member[]).map((one) => one.name || say('memberUnnamed')).join(', ');
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? Object.values(value).join(', ') : String(value);
}
