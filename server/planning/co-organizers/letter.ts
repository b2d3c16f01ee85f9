import { codeOf, type LanguageName } from '../../kernel/languages.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import type { CoOrganizer } from './contract.ts';
import { letters } from './messages.ts';

/** What the letter says of the event. */
export interface SharedEventFacts {
  title: string;
  language_pref: LanguageName;
}

/** The mail that tells somebody an event is shared with them, in the event's language. Sent once. */
export function invitationMail(
  { id, email, access }: CoOrganizer,
  { title, language_pref }: SharedEventFacts,
  inviter: string | undefined,
  publicUrl: string,
): NewMail {
  const language = codeOf(language_pref);
  const words = letters[language];
  const letter = writeLetter({
    language,
    title: words.subject(title),
    paragraphs: [words.shared(title, inviter), words.access[access], words.signIn(email)],
    action: { label: words.action, url: publicUrl },
    footer: words.footer,
  });
  return { to: email, language, subject: words.subject(title), ...letter, key: `co-organizer:${id}` };
}
