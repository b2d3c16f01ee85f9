import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';

export const PARTS = ['words', 'answers', 'agenda', 'look'] as const;
export type Part = (typeof PARTS)[number];

/** What is open: in the address, so that it can be led to. */
export interface InvitationSearch {
  part?: Part | undefined;
  /** In which it is written and looked at; the event's own unless said. */
  language?: LanguageName | undefined;
  /** Of the agenda, that is being changed: its id, or `new`. */
  item?: string | undefined;
}

export function readInvitationSearch({ part, language, item }: Record<string, unknown>): InvitationSearch {
  return {
    part: PARTS.find((known) => known === part),
    language: LANGUAGE_NAMES.find((known) => known === language),
    item: typeof item === 'string' && item !== '' ? item : undefined,
  };
}
