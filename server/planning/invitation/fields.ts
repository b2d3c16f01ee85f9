import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { phoneNumber } from '../guests/fields.ts';
import { messages } from './messages.ts';

const LONGEST_HOSTS = 100;
const LONGEST_URL = 2_000;

/** Latitude and longitude, in the form in which map services let people copy them. */
const COORDINATES =
  '^-?(?:90(?:\\.0{1,15})?|[1-8]?\\d(?:\\.\\d{1,15})?), ?-?(?:180(?:\\.0{1,15})?|(?:1[0-7]\\d|[1-9]?\\d)(?:\\.\\d{1,15})?)$';

const coordinates = fieldTypes.matching(fieldTypes.text(60), COORDINATES, messages.coordinatesForm);

/**
 * Address of a page, for example of a video call. Addresses with a password are refused, as all guests would see it.
 */
const pageUrl = fieldTypes.restricted(
  fieldTypes.matching(fieldTypes.text(LONGEST_URL), '^https?://[^\\s<>"]+$', messages.urlForm),
  (text) => {
    const url = URL.parse(text);
    return url !== null && !url.username && !url.password;
  },
  messages.urlForm,
);

/** Fields of an event's invitation. */
export const invitationFields = {
  hosts: {
    // Email addresses are refused: mails to guests carry the hosts' names as the sender, and impostors put addresses
    // there.
    type: fieldTypes.byLanguage(
      fieldTypes.matching(fieldTypes.line(LONGEST_HOSTS), '^[^@<>]*$', messages.hostsForm),
    ),
    empty: null,
    shown: 'Who invites: mail to guests is in their name. null: in the event’s.',
    example: { hebrew: 'נועה כהן ואיתי לוי', english: 'Noa Cohen and Itay Levy' },
    label: { he: 'המארחים', ar: 'أصحاب الدعوة', en: 'Hosts' },
  },
  title: {
    type: fieldTypes.byLanguage(fieldTypes.line(300)),
    empty: null,
    shown: 'What guests read in their language in place of the event’s title.',
    example: { english: 'The wedding of Noa and Itay', arabic: 'زفاف نوعا وإيتاي' },
    label: { he: 'שם האירוע בהזמנה', ar: 'اسم المناسبة في الدعوة', en: 'Title of the invitation' },
  },
  words: {
    type: fieldTypes.byLanguage(fieldTypes.text(10_000)),
    empty: null,
    shown: 'What guests read in their language in place of the event’s description.',
    example: { english: 'A chuppah at sunset, dancing until late' },
    label: { he: 'נוסח ההזמנה', ar: 'نص الدعوة', en: 'Words of the invitation' },
  },
  venue_name: {
    type: fieldTypes.byLanguage(fieldTypes.line(300)),
    empty: null,
    shown:
      'What guests read in their language in place of the venue’s name, as long as that is what it was when these were sent.',
    example: { english: 'Eden Gardens' },
    label: { he: 'שם המקום בהזמנה', ar: 'اسم المكان في الدعوة', en: 'Venue of the invitation' },
  },
  venue_address: {
    type: fieldTypes.byLanguage(fieldTypes.line(500)),
    empty: null,
    shown: 'And in place of its address, likewise. Maps are asked for the event’s own.',
    example: { english: '12 HaSharon Road, Hod HaSharon' },
    label: { he: 'כתובת המקום בהזמנה', ar: 'عنوان المكان في الدعوة', en: 'Address of the invitation' },
  },
  picture_alt: {
    type: fieldTypes.byLanguage(fieldTypes.line(500)),
    empty: null,
    shown: 'What the picture shows and says, for who does not see it. null: the title.',
    example: { hebrew: 'נועה ואיתי על חוף הים' },
    label: { he: 'תיאור התמונה', ar: 'وصف الصورة', en: 'What the picture shows' },
  },
  contact_name: {
    type: fieldTypes.byLanguage(fieldTypes.line(LONGEST_HOSTS)),
    empty: null,
    shown: 'Whom guests ask; on their pages, with the phone number and the address.',
    example: { hebrew: 'נועה', english: 'Noa' },
    label: { he: 'איש הקשר', ar: 'جهة الاتصال', en: 'Contact' },
  },
  contact_phone: {
    type: fieldTypes.orNull(phoneNumber),
    empty: null,
    example: '+972501234567',
    label: { he: 'טלפון לשאלות', ar: 'هاتف للاستفسار', en: 'Phone for questions' },
  },
  contact_email: {
    type: fieldTypes.orNull(fieldTypes.mailAddress()),
    empty: null,
    shown: 'Where guests’ replies to a mail go, and on their pages. null: replies go to the organizer.',
    example: 'noa@example.com',
    label: { he: 'מייל לתשובות', ar: 'البريد الإلكتروني للردود', en: 'Email for replies' },
  },
  map: {
    type: fieldTypes.orNull(fieldTypes.yesOrNo()),
    empty: null,
    shown:
      'Whether guests get a map. null: where there are coordinates or an address; true: by the venue’s name alone, too.',
    label: { he: 'מפה', ar: 'الخريطة', en: 'Map' },
  },
  coordinates: {
    type: fieldTypes.orNull(coordinates),
    empty: null,
    shown:
      '`latitude, longitude`: where the map leads, for a place that its address does not find, and whose sunset is told. As long as the venue is called what it was when they were sent.',
    example: '32.1741, 34.9012',
    label: { he: 'קואורדינטות', ar: 'الإحداثيات', en: 'Coordinates' },
  },
  hebrew_date: {
    type: fieldTypes.orNull(fieldTypes.yesOrNo()),
    empty: null,
    shown:
      'Whether who reads Hebrew or English is told the Hebrew date beside the civil one. null: unless people register (`registration` of `/rsvp`) or the event is in Arabic.',
    label: { he: 'תאריך עברי', ar: 'التاريخ العبري', en: 'Hebrew date' },
  },
  online_url: {
    type: fieldTypes.orNull(pageUrl),
    empty: null,
    shown: 'Where to take part from afar. For invited guests alone: the open link does not show it.',
    example: 'https://meet.example.com/noa-and-itay',
    label: { he: 'קישור לשידור', ar: 'رابط البث', en: 'Online link' },
  },
  event_end: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.dateTime(DEFAULT_ZONE),
        'ISO 8601. Without an offset it is wall time in Israel. At most 31 days after the event’s beginning.',
      ),
    ),
    empty: null,
    shown: 'Moves with the event’s date. null: not said; calendars show five hours.',
    example: '2027-06-15T22:30:00.000Z',
    label: { he: 'שעת הסיום', ar: 'موعد الانتهاء', en: 'End of the event' },
  },
} as const;
export type InvitationChanges = Partial<fieldTypes.ValuesOf<typeof invitationFields>>;
