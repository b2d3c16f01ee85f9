import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { fieldsAmong, fieldsOf, invalidField, refuseUnknown } from '../../kernel/fields.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { guestFields, LARGEST_PARTY, ownFields, peopleCount, rsvpFields } from '../guests/fields.ts';
import { idList } from '../guests/selection.ts';
import { messages } from './messages.ts';

const SLUG = { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', minLength: 3, maxLength: 60 } as const;
const slugForm = new RegExp(SLUG.pattern);

/** Slug of an open link; null keeps the current one. */
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
    description: 'null keeps the one there is.',
  },
  shows: { type: ['string', 'null'], description: 'The open link’s name.' },
};

/** Organizer's settings for answers to an event. */
export const settingsFields = {
  answer_until: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.dateTime(DEFAULT_ZONE),
        'ISO 8601. Without an offset it is wall time in Israel. Not after the event.',
      ),
    ),
    empty: null,
    shown: 'Guests answer until then; null: until the event begins.',
    example: '2027-06-01T20:59:00.000Z',
    label: { he: 'המועד האחרון לתשובות', ar: 'الموعد الأخير للرد', en: 'Last time to answer' },
  },
  open: {
    type: fieldTypes.yesOrNo(),
    empty: false,
    shown: 'Whether people not on the list may ask to come.',
    example: true,
    label: { he: 'קישור פתוח', ar: 'رابط مفتوح', en: 'Open link' },
  },
  registration: {
    type: fieldTypes.yesOrNo(),
    empty: false,
    shown:
      'Whether people register through the open link, as for a conference, and are asked for company and role.',
    label: { he: 'הרשמה', ar: 'التسجيل', en: 'Registration' },
  },
  accept_by_itself: {
    type: fieldTypes.yesOrNo(),
    empty: false,
    shown:
      'Whether who asks through the open link is a guest at once, with places while there are, then in the waiting list. They need an address; who is on the list already still waits for the organizer.',
    label: { he: 'אישור אוטומטי', ar: 'قبول تلقائي', en: 'Accepted by itself' },
  },
  most_each: {
    type: peopleCount,
    empty: 10,
    shown:
      'The most people one request through the open link may be for, and with whom who is accepted may come: it sets their `max_plus_ones`.',
    label: { he: 'מספר האנשים בבקשה', ar: 'عدد الأشخاص في الطلب', en: 'People in a request' },
  },
  children: {
    type: fieldTypes.orNull(fieldTypes.yesOrNo()),
    empty: null,
    shown:
      'Whether guests are asked how many of them are children, and for children’s meals; null: unless people register (`registration`).',
    label: { he: 'שאלה על ילדים', ar: 'السؤال عن الأطفال', en: 'Children asked for' },
  },
  meals: {
    type: fieldTypes.yesOrNo(),
    empty: true,
    shown: 'Whether guests are asked for meals and allergies.',
    label: { he: 'שאלה על אוכל', ar: 'السؤال عن الطعام', en: 'Meals asked for' },
  },
  slug: {
    type: slug,
    empty: null,
    example: 'noa-and-itay',
    label: { he: 'כתובת הקישור הפתוח', ar: 'عنوان الرابط المفتوح', en: 'Address of the open link' },
  },
} as const;

/** Fields of a guest's answer by their link. `coming` is only read if the answer is yes. */
export const answerFields = {
  rsvp_status: { type: fieldTypes.nonEmpty(fieldTypes.oneOf(['confirmed', 'declined', 'maybe'])) },
  coming: {
    type: fieldTypes.withDescription(peopleCount, 'party_size unless given.'),
    empty: undefined,
  },
  coming_children: { type: rsvpFields.coming_children.type, empty: undefined },
  ...ownFields,
} as const;

const { name, phone, email, message, company, role } = guestFields;

/** Name, contact details and message of a person who is not on the list. */
export const strangerFields = { name, phone, email, message, company, role };

const { answers: _, message: __, ...foodFields } = ownFields;

/** Fields that the open link's form asks for, apart from the number of people and the event's own questions. */
export const askerFields = {
  ...strangerFields,
  coming_children: {
    type: fieldTypes.wholeNumber(0, LARGEST_PARTY),
    empty: 0,
    shown: 'How many of `coming` are children.',
  },
  ...foodFields,
};

const requestChoice = {
  same_network_as: fieldTypes.withDescription(
    queryTypes.id(),
    'A request: all that came from its network (an IPv4 address, the /64 of an IPv6 one).',
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
    description: 'Empty: all that wait.',
  },
};

/**
 * Fields with which a body selects requests: by id, by filter, or, with both, the requests in the list that match the
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
