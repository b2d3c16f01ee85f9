import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import * as takes from '../../kernel/takes.ts';
import { messages } from './messages.ts';

const LONGEST_HOSTS = 100;

/** How an event invites its guests. */
export const invitationFields = {
  hosts: {
    // A mail is from them by name, and an address in a name is what impostors put there.
    takes: takes.orNull(takes.matching(takes.text(LONGEST_HOSTS), '^[^@<>]*$', messages.hostsForm)),
    empty: null,
    shown: 'Who invites: mail to guests is in their name. null: in the event’s.',
    example: 'נועה כהן ואיתי לוי',
    label: { he: 'המארחים', ar: 'أصحاب الدعوة', en: 'Hosts' },
  },
  contact_email: {
    takes: takes.orNull(takes.mailAddress()),
    empty: null,
    shown: 'Where guests’ replies to a mail go. null: to the organizer.',
    example: 'noa@example.com',
    label: { he: 'דוא״ל לתשובות', ar: 'البريد الإلكتروني للردود', en: 'Email for replies' },
  },
  event_end: {
    takes: takes.orNull(
      takes.described(
        takes.dateTime(DEFAULT_ZONE),
        'ISO 8601. Without an offset it is wall time in Israel. At most 31 days after the event’s beginning.',
      ),
    ),
    empty: null,
    shown: 'Moves with the event’s date. null: not said; calendars show five hours.',
    example: '2027-06-15T22:30:00.000Z',
    label: { he: 'שעת הסיום', ar: 'موعد الانتهاء', en: 'End of the event' },
  },
} as const;
export type InvitationChanges = Partial<takes.ValuesOf<typeof invitationFields>>;
