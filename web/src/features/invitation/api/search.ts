import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';

export const PARTS = ['words', 'answers', 'agenda', 'look'] as const;
export type Part = (typeof PARTS)[number];

/** Search parameters of the address: the open part of the page. */
export interface InvitationSearch {
  part?: Part | undefined;
  /** Language to write and preview; by default the event's. */
  language?: LanguageName | undefined;
  /** Identifier of the agenda item that is open; `new` opens the form for a new one. */
  item?: string | undefined;
}

export function readInvitationSearch({ part, language, item }: Record<string, unknown>): InvitationSearch {
  return {
    part: PARTS.find((known) => known === part),
    language: LANGUAGE_NAMES.find((known) => known === language),
    item: typeof item === 'string' && item !== '' ? item : undefined,
  };
}
