import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { phoneNumber } from '../guests/fields.ts';
import { messages } from './messages.ts';

const LONGEST_HOSTS = 100;
const LONGEST_URL = 2_000;

/** Pattern for latitude and longitude, as people copy them from map services. */
const COORDINATES =
  '^-?(?:90(?:\\.0{1,15})?|[1-8]?\\d(?:\\.\\d{1,15})?), ?-?(?:180(?:\\.0{1,15})?|(?:1[0-7]\\d|[1-9]?\\d)(?:\\.\\d{1,15})?)$';

const coordinates = fieldTypes.matching(fieldTypes.text(60), COORDINATES, messages.coordinatesForm);

/**
 * Address of a web page, for example of a video call. Addresses with a password are refused, as all guests would see
 * it.
 */
const pageUrl = fieldTypes.restricted(
  fieldTypes.matching(fieldTypes.text(LONGEST_URL), '^https?://[^\\s<>"]+$', messages.urlForm),
  (text) => {
    const url = URL.parse(text);
    return url !== null && !url.username && !url.password;
  },
  messages.urlForm,
);

export const invitationFields = {
  hosts: {
    // Email addresses are refused in the names of the hosts: mails to guests carry these names as the sender, and
    // impostors put addresses there.
    type: fieldTypes.byLanguage(
      fieldTypes.matching(fieldTypes.line(LONGEST_HOSTS), '^[^@<>]*$', messages.hostsForm),
    ),
    empty: null,
    shown: 'Hosts. Mails to guests are sent in their name; null: in the event’s name.',
    example: { hebrew: 'נועה כהן ואיתי לוי', english: 'Noa Cohen and Itay Levy' },
    label: { he: 'המארחים', ar: 'أصحاب الدعوة', en: 'Hosts' },
  },
  title: {
    type: fieldTypes.byLanguage(fieldTypes.line(300)),
    empty: null,
    shown: 'Title for guests by language, in place of the event’s title.',
    example: { english: 'The wedding of Noa and Itay', arabic: 'زفاف نوعا وإيتاي' },
    label: { he: 'שם האירוע בהזמנה', ar: 'اسم المناسبة في الدعوة', en: 'Title of the invitation' },
  },
  words: {
    type: fieldTypes.byLanguage(fieldTypes.text(10_000)),
    empty: null,
    shown: 'Text for guests by language, in place of the event’s description.',
    example: { english: 'A chuppah at sunset, dancing until late' },
    label: { he: 'נוסח ההזמנה', ar: 'نص الدعوة', en: 'Text of the invitation' },
  },
  venue_name: {
    type: fieldTypes.byLanguage(fieldTypes.line(300)),
    empty: null,
    shown: 'Name of the venue for guests by language. It is no longer used once the event’s venue changes.',
    example: { english: 'Eden Gardens' },
    label: { he: 'שם המקום בהזמנה', ar: 'اسم المكان في الدعوة', en: 'Venue in the invitation' },
  },
  venue_address: {
    type: fieldTypes.byLanguage(fieldTypes.line(500)),
    empty: null,
    shown:
      'Address of the venue for guests by language, used like its name. Maps use the event’s own address.',
    example: { english: '12 HaSharon Road, Hod HaSharon' },
    label: { he: 'כתובת המקום בהזמנה', ar: 'عنوان المكان في الدعوة', en: 'Address in the invitation' },
  },
  picture_alt: {
    type: fieldTypes.byLanguage(fieldTypes.line(500)),
    empty: null,
    shown: 'Description of the picture for people who can’t see it; null: the title.',
    example: { hebrew: 'נועה ואיתי על חוף הים' },
    label: { he: 'תיאור התמונה', ar: 'وصف الصورة', en: 'Picture description' },
  },
  contact_name: {
    type: fieldTypes.byLanguage(fieldTypes.line(LONGEST_HOSTS)),
    empty: null,
    shown: 'Contact for guests, shown on their pages with the phone number and the email address.',
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
    shown:
      'Address for guests’ replies to mails, also shown on their pages; null: replies go to the organizer.',
    example: 'noa@example.com',
    label: { he: 'מייל לתשובות', ar: 'البريد الإلكتروني للردود', en: 'Email for replies' },
  },
  map: {
    type: fieldTypes.orNull(fieldTypes.yesOrNo()),
    empty: null,
    shown:
      'Whether guests get a map. null: if there are coordinates or an address; true: also with the venue’s name alone.',
    label: { he: 'מפה', ar: 'الخريطة', en: 'Map' },
  },
  coordinates: {
    type: fieldTypes.orNull(coordinates),
    empty: null,
    shown:
      '`latitude, longitude` for the map, for venues that are not found by their address, and for the time of sunset. They are no longer used once the venue’s name changes.',
    example: '32.1741, 34.9012',
    label: { he: 'קואורדינטות', ar: 'الإحداثيات', en: 'Coordinates' },
  },
  hebrew_date: {
    type: fieldTypes.orNull(fieldTypes.yesOrNo()),
    empty: null,
    shown:
      'Whether readers of Hebrew and English see the Hebrew date beside the civil one. null: yes, unless people register (`registration` of `/rsvp`) or the event is in Arabic.',
    label: { he: 'תאריך עברי', ar: 'التاريخ العبري', en: 'Hebrew date' },
  },
  online_url: {
    type: fieldTypes.orNull(pageUrl),
    empty: null,
    shown: 'Livestream link. Only invited guests see it; the open link does not show it.',
    example: 'https://meet.example.com/noa-and-itay',
    label: { he: 'קישור לשידור', ar: 'رابط البث', en: 'Livestream link' },
  },
  event_end: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.dateTime(DEFAULT_ZONE),
        'ISO 8601. Without an offset it is wall time in Israel. At most 31 days after the event’s beginning.',
      ),
    ),
    empty: null,
    shown: 'It moves with the event’s date. null: not set; calendars then show five hours.',
    example: '2027-06-15T22:30:00.000Z',
    label: { he: 'שעת הסיום', ar: 'موعد الانتهاء', en: 'End of the event' },
  },
} as const;
export type InvitationChanges = Partial<fieldTypes.ValuesOf<typeof invitationFields>>;
