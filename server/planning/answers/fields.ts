import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { fieldsAmong, fieldsOf, invalidField, refuseUnknown } from '../../kernel/fields.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  guestFields,
  LARGEST_PARTY,
  MOST_PLUS_ONES,
  ownFields,
  peopleCount,
  rsvpFields,
} from '../guests/fields.ts';
import { idList } from '../guests/selection.ts';
import { messages } from './messages.ts';

const SLUG = { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', minLength: 3, maxLength: 60 } as const;
const slugForm = new RegExp(SLUG.pattern);

/** Slug of an event's open link; null keeps the current slug. */
const slug: fieldTypes.FieldType<string | null> = {
  read(field, value) {
    if (value === null) return null;
    const { minLength, maxLength } = SLUG;
    const fits = typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
    if (!fits || !slugForm.test(value)) throw invalidField(field, messages.slugForm);
    return value;
  },
  schema: {
    type: ['string', 'null'],
    ...SLUG,
    description: 'null keeps the current one.',
  },
  shows: { type: ['string', 'null'], description: 'Last part of the open link’s address.' },
};

/** Settings that an organizer makes for the answers of guests to an event. */
export const settingsFields = {
  answer_until: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.dateTime(DEFAULT_ZONE),
        'ISO 8601. Without an offset it is local time in Israel. Not after the event.',
      ),
    ),
    empty: null,
    shown: 'Deadline for answers; null: until the event begins.',
    example: '2027-06-01T20:59:00.000Z',
    label: { he: 'המועד האחרון לתשובות', ar: 'الموعد الأخير للرد', en: 'Deadline for answers' },
  },
  open: {
    type: fieldTypes.yesOrNo(),
    empty: false,
    shown: 'Whether people who are not on the list can ask to come.',
    example: true,
    label: { he: 'קישור פתוח', ar: 'رابط مفتوح', en: 'Open link' },
  },
  registration: {
    type: fieldTypes.yesOrNo(),
    empty: false,
    shown: 'Whether people register, as for a conference, and are asked for company and role.',
    label: { he: 'הרשמה', ar: 'التسجيل', en: 'Registration' },
  },
  accept_by_itself: {
    type: fieldTypes.yesOrNo(),
    empty: false,
    shown:
      'Whether requests are accepted automatically: with places while they are free, then on the waiting list. They need an email address.',
    label: { he: 'אישור אוטומטי', ar: 'قبول تلقائي', en: 'Accept automatically' },
  },
  confirm_email: {
    type: fieldTypes.orNull(fieldTypes.yesOrNo()),
    empty: null,
    shown:
      'Whether a request counts only once its author has confirmed the email address by a mailed link; null: with `accept_by_itself`.',
    label: { he: 'אישור במייל', ar: 'التأكيد بالبريد الإلكتروني', en: 'Confirm by mail' },
  },
  most_each: {
    type: peopleCount,
    empty: 10,
    shown:
      'Maximum number of people in a request, and with whom an accepted guest can come (`max_plus_ones`).',
    label: { he: 'מספר האנשים בבקשה', ar: 'عدد الأشخاص في الطلب', en: 'Maximum people per request' },
  },
  // The default is null (no limit for each guest) for clients that know only the event API: their limit is
  // `max_plus_ones_buffer` for all guests together, and any guest can use all of it. The console always sends a number
  // with a new event.
  plus_ones_each: {
    type: fieldTypes.orNull(fieldTypes.wholeNumber(0, MOST_PLUS_ONES)),
    empty: null,
    example: 1,
    shown:
      'People whom each guest may bring beyond `party_size`, unless the guest has `max_plus_ones`; null: as many as are free under the event’s `max_plus_ones_buffer`.',
    label: { he: 'מלווים לכל מוזמן', ar: 'مرافقون لكل ضيف', en: 'Plus-ones for each guest' },
  },
  children: {
    type: fieldTypes.orNull(fieldTypes.yesOrNo()),
    empty: null,
    shown:
      'Whether guests are asked how many of them are children, and for children’s meals; null: yes, unless people register (`registration`).',
    label: { he: 'שאלה על ילדים', ar: 'السؤال عن الأطفال', en: 'Ask about children' },
  },
  meals: {
    type: fieldTypes.yesOrNo(),
    empty: true,
    shown: 'Whether guests are asked for meals and allergies.',
    label: { he: 'שאלה על אוכל', ar: 'السؤال عن الطعام', en: 'Ask about meals' },
  },
  ask_names: {
    type: fieldTypes.yesOrNo(),
    empty: false,
    shown: 'Whether guests are asked for the names of the people who come.',
    label: { he: 'שאלה על שמות', ar: 'السؤال عن الأسماء', en: 'Ask for names' },
  },
  slug: {
    type: slug,
    empty: null,
    example: 'noa-and-itay',
    label: { he: 'כתובת הקישור הפתוח', ar: 'عنوان الرابط المفتوح', en: 'Address of the open link' },
  },
} as const;

/** Fields of a guest's answer by their personal link. `coming` is only read if the answer is yes. */
export const answerFields = {
  rsvp_status: { type: fieldTypes.nonEmpty(fieldTypes.oneOf(['confirmed', 'declined', 'maybe'])) },
  coming: {
    type: fieldTypes.withDescription(peopleCount, 'The default is `party_size`.'),
    empty: undefined,
  },
  coming_children: { type: rsvpFields.coming_children.type, empty: undefined },
  ...ownFields,
} as const;

const { name, phone, email, message, company, role } = guestFields;

/** Name, contact details and message of a person who is not on the list. */
export const strangerFields = { name, phone, email, message, company, role };

const { answers: _, message: __, ...partyFields } = ownFields;

/** Fields that the open link's form asks for, apart from the number of people and the event's own questions. */
export const askerFields = {
  ...strangerFields,
  coming_children: {
    type: fieldTypes.wholeNumber(0, LARGEST_PARTY),
    empty: 0,
    shown: 'Children among `coming`.',
  },
  ...partyFields,
};

const requestChoice = {
  same_network_as: fieldTypes.withDescription(
    queryTypes.id(),
    'Id of a request: selects all requests from its network (an address, or the /64 of IPv6).',
  ),
};

const requestChoiceField: fieldTypes.FieldType<queryTypes.QueryValues<typeof requestChoice>> = {
  read(field, value) {
    const fields = fieldsOf(value, field);
    refuseUnknown(Object.keys(requestChoice), fields, `${field}.`);
    return queryTypes.readQuery(requestChoice, fields, `${field}.`);
  },
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(requestChoice).map(([name, { schema }]) => [name, schema])),
    description: 'An empty object selects all waiting requests.',
  },
};

/**
 * Fields with which a body selects requests to come: by id, by filter or, with both, the listed requests that match the
 * filter.
 */
export const requestSelectionFields = {
  request_ids: {
    type: idList(messages.requestIdsForm),
    empty: undefined,
    label: { he: 'בקשות', ar: 'الطلبات', en: 'Requests' },
  },
  filter: {
    type: requestChoiceField,
    empty: undefined,
    label: { he: 'סינון', ar: 'التصفية', en: 'Filter' },
  },
} as const;

/** Selection of waiting requests. A body without a selection never means all of them. */
export interface RequestSelection {
  request_ids?: readonly string[] | undefined;
  filter?: queryTypes.QueryValues<typeof requestChoice> | undefined;
}

/** Reads a selection of requests. Throws a Refusal if the body has none. */
export function readRequestSelection(body: unknown): RequestSelection {
  const chosen = fieldTypes.readGiven(requestSelectionFields, fieldsAmong(requestSelectionFields, body));
  if (!chosen.request_ids && !chosen.filter) throw new Refusal(400, 'nobody', messages.whichRequests);
  return chosen;
}
