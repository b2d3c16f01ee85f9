import { codeOf, type LanguageName } from '../../kernel/languages.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { localDate } from '../answers/dates.ts';
import { placeOf } from '../events/place.ts';
import { mailWords } from './messages.ts';

export interface Addressee {
  name: string;
  email: string;
  language: LanguageName;
  title: string;
  event_date: Date | null;
  venue_name: string;
  venue_address: string | null;
}

/** The mail of a round to one guest, in their language, with their own link and a way out (RFC 8058). */
export function letterTo(
  guest: Addressee,
  kind: 'invitation' | 'reminder',
  message: string | null,
  url: string,
): NewMail {
  const language = codeOf(guest.language);
  const say = mailWords[guest.language][kind];
  const about = {
    name: guest.name,
    title: guest.title,
    date: guest.event_date ? localDate(guest.event_date, guest.language) : '',
    place: placeOf(guest, language === 'ar' ? '، ' : ', '),
  };
  const unsubscribe = `${url}/unsubscribe`;
  const subject = say.subject(about);
  const letter = {
    language,
    title: subject,
    paragraphs: [say.hello(about), ...say.lines(about), message ?? ''].filter(Boolean),
    action: { label: say.action, url },
    footer: say.footer(unsubscribe),
  };
  return {
    to: guest.email,
    language,
    subject,
    ...writeLetter(letter),
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
