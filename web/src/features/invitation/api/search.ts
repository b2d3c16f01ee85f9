import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';

export const INVITATION_PARTS = ['words', 'answers', 'agenda', 'look'] as const;
export type InvitationPart = (typeof INVITATION_PARTS)[number];

/** Search parameters of the address: the open part of the page. */
export interface InvitationSearch {
  part?: InvitationPart | undefined;
  /** Language to write and preview; by default the event's. */
  language?: LanguageName | undefined;
  /** Identifier of the agenda item that is open; `new` opens the form for a new one. */
  item?: string | undefined;
}

export function readInvitationSearch({ part, language, item }: Record<string, unknown>): InvitationSearch {
  return {
    part: INVITATION_PARTS.find((known) => known === part),
    language: LANGUAGE_NAMES.find((known) => known === language),
    item: typeof item === 'string' && item !== '' ? item : undefined,
  };
}
