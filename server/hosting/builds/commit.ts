import { toStorableText } from '../../kernel/database/storable.ts';

export interface Commit {
  hash: string;
  /** First line of the commit's message. */
  message: string;
}

/** Maximum length of a commit's message, in UTF-16 code units. */
const LONGEST_MESSAGE = 300;
/** Line of git's output with a commit's hash and the first line of its message. */
export const HASH_AND_MESSAGE = /^([0-9a-f]{40,64}) (.*)$/gm;

/** Parses the commit in git's output. The last match is used: a git server may print similar lines before. */
export function commitIn(output: string): Commit {
  const [, hash = '', message = ''] = [...output.matchAll(HASH_AND_MESSAGE)].at(-1) ?? [];
  return { hash, message: toStorableText(message.slice(0, LONGEST_MESSAGE)) };
}
