import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import type { CoOrganizer } from './contract.ts';
import { invitationWords } from './messages.ts';

/** Facts about an event for the mail to a new co-organizer. */
export interface SharedEventFacts {
  title: string;
  language_pref: LanguageName;
}

/** Invitation mail to a co-organizer, in the event's language. Its key makes sure that it is sent once. */
export function invitationMail(
  { id, email, access }: CoOrganizer,
  { title, language_pref }: SharedEventFacts,
  inviter: string | undefined,
  publicUrl: string,
): NewMail {
  const language = languageCodeOf(language_pref);
  const words = invitationWords[language];
  const letter = writeLetter({
    language,
    title: words.subject(title),
    paragraphs: [words.shared(title, inviter), words.access[access], words.signIn(email)],
    action: { label: words.action, url: publicUrl },
    footer: words.footer,
  });
  return { to: email, language, subject: words.subject(title), ...letter, key: `co-organizer:${id}` };
}
