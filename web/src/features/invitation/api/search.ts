import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';

export const INVITATION_PARTS = ['words', 'answers', 'agenda', 'look'] as const;
export type InvitationPart = (typeof INVITATION_PARTS)[number];

/** Search parameters of the invitation page's address: the part of the page that is open. */
export interface InvitationSearch {
  part?: InvitationPart | undefined;
  /** Language in which the user writes and previews the invitation; by default the event's language. */
  language?: LanguageName | undefined;
  /** Identifier of the open agenda item; `new` opens the form for a new item. */
  item?: string | undefined;
}

export function readInvitationSearch({ part, language, item }: Record<string, unknown>): InvitationSearch {
  return {
    part: INVITATION_PARTS.find((known) => known === part),
    language: LANGUAGE_NAMES.find((known) => known === language),
    item: typeof item === 'string' && item !== '' ? item : undefined,
  };
}
