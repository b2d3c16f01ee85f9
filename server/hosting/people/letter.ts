import type { Language } from '../../kernel/languages.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import type { SharedRole } from '../model/people.ts';
import { invitationWords } from './messages.ts';

export interface Invitation {
  person: { id: string; email: string; role: SharedRole };
  application: { application_uuid: string; name: string };
  /** Mail address of the owner, who invites. */
  inviter: string;
}

/** Invitation mail to a person with whom an application is shared. Its key makes sure that it is sent once. */
export function invitationMail(
  { person: { id, email, role }, application: { application_uuid, name }, inviter }: Invitation,
  language: Language,
  publicUrl: string,
): NewMail {
  const words = invitationWords[language];
  const letter = writeLetter({
    language,
    title: words.subject(name),
    paragraphs: [words.shared(name, inviter), words.role[role], words.signIn(email)],
    action: { label: words.action, url: new URL(`/sites/${application_uuid}`, publicUrl).href },
    footer: words.footer,
  });
  return { to: email, language, subject: words.subject(name), ...letter, key: `person:${id}` };
}
