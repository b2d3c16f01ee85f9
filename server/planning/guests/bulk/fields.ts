import * as fieldTypes from '../../../kernel/field-types.ts';
import { FieldProblem, type Fields, fieldsAmong } from '../../../kernel/fields.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { guestFields, LENGTHS, MOST_TAGS, rsvpFields } from '../fields.ts';
import { messages } from '../messages.ts';
import { type GuestSelection, selectionFields, selectsGuests } from '../selection.ts';

const {
  name: _,
  phone: __,
  email: ___,
  other_phones: ____,
  other_emails: _____,
  message: ______,
  members: _______,
  ...common
} = guestFields;
const tags = fieldTypes.orEmpty(fieldTypes.texts({ most: MOST_TAGS, longest: LENGTHS.tag }), []);

/**
 * Fields that can be set for many guests at once. Left out are the guest's message and the fields that identify one
 * guest (name, phone, email, members).
 */
export const changeFields = {
  add_tags: {
    type: tags,
    empty: [] as string[],
    example: ['עבודה'],
    label: { he: 'תגיות להוספה', ar: 'وسوم للإضافة', en: 'Tags to add' },
  },
  remove_tags: {
    type: tags,
    empty: [] as string[],
    label: { he: 'תגיות להסרה', ar: 'وسوم للإزالة', en: 'Tags to remove' },
  },
  ...common,
  ...rsvpFields,
} as const;
export const bulkFields = { ...selectionFields, ...changeFields };

export interface BulkChange {
  chosen: GuestSelection;
  add: readonly string[];
  remove: readonly string[];
  /** Fields that the bulk change sets for all selected guests; the same as in the request that changes one guest. */
  fields: Fields;
}

/** Reads a bulk change from a request body: the selected guests and their new values. */
export function readBulkChange(body: unknown): BulkChange {
  const given = fieldsAmong(bulkFields, body);
  const { guest_ids: _, filter: __, add_tags: ___, remove_tags: ____, ...fields } = given;
  const chosen = selectionOf(given);
  const { add_tags: add = [], remove_tags: remove = [] } = fieldTypes.readGiven(changeFields, given);
  if (add.length + remove.length + Object.keys(fields).length === 0) {
    throw new Refusal(400, 'nothing_to_change', messages.nothingToChange);
  }
  return { chosen, add, remove, fields };
}

/** Reads a request body that has a selection of guests and no other field. */
export function readSelection(body: unknown): GuestSelection {
  return selectionOf(fieldsAmong(selectionFields, body));
}

/** Reads the ids of deleted guests from a request body. */
export function readIds(body: unknown): readonly string[] {
  const { guest_ids } = fieldTypes.readGiven(selectionFields, fieldsAmong({ guest_ids: true }, body));
  if (!guest_ids) throw new FieldProblem('guest_ids', { kind: 'missing' });
  return guest_ids;
}

function selectionOf(fields: Fields): GuestSelection {
  if (!selectsGuests(fields)) throw new Refusal(400, 'nobody', messages.nobodyChosen);
  return fieldTypes.readWhole(selectionFields, fields);
}
