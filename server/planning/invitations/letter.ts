import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { localDate } from '../answers/dates.ts';
import type { Language } from '../answers/messages.ts';
import { mailWords } from './messages.ts';

export interface Addressee {
  name: string;
  email: string;
  language: Language;
  title: string;
  event_date: Date | null;
  venue_name: string;
  venue_address: string | null;
}

const CODES = { hebrew: 'he', arabic: 'ar', english: 'en' } as const;

/** The mail of a round to one guest, in their language, with their own link and a way out (RFC 8058). */
export function letterTo(
  guest: Addressee,
  kind: 'invitation' | 'reminder',
  message: string | null,
  url: string,
): NewMail {
  const { language } = guest;
  const say = mailWords[language][kind];
  const about = {
    name: guest.name,
    title: guest.title,
    date: guest.event_date ? localDate(guest.event_date, language) : '',
    place: [guest.venue_name, guest.venue_address].filter(Boolean).join(', '),
  };
  const unsubscribe = `${url}/unsubscribe`;
  const subject = say.subject(about);
  const letter = {
    language: CODES[language],
    title: subject,
    paragraphs: [say.hello(about), ...say.lines(about), message ?? ''].filter(Boolean),
    action: { label: say.action, url },
    footer: say.footer(unsubscribe),
  };
  return {
    to: guest.email,
    language: CODES[language],
    subject,
    ...writeLetter(letter),
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
