import { toStorableText } from '../../kernel/database/storable.ts';

export interface Commit {
  hash: string;
  /** First line of the commit's message. */
  message: string;
  /** Name of the author; null for an uploaded folder. */
  author: string | null;
}

/** Maximum length of a commit's message, in UTF-16 code units. */
const LONGEST_MESSAGE = 300;
const LONGEST_AUTHOR = 100;
/** Character between the author's name and the message in git's output, which neither has. */
const SEPARATOR = '\x1f';
/** Format of git's output for a commit. */
export const COMMIT_FORMAT = 'tformat:%H%x20%an%x1f%s';
/** Line of git's output with a commit's hash, its author and the first line of its message. */
export const HASH_AND_MESSAGE = /^([0-9a-f]{40,64}) (.*)$/gm;

/** Parses the commit in git's output. The last match is used: a git server may print similar lines before. */
export function commitIn(output: string): Commit {
  const [, hash = '', text = ''] = [...output.matchAll(HASH_AND_MESSAGE)].at(-1) ?? [];
  const [author = '', ...message] = text.split(SEPARATOR);
  return {
    hash,
    message: toStorableText(message.join(' ').slice(0, LONGEST_MESSAGE)),
    author: toStorableText(author.slice(0, LONGEST_AUTHOR)),
  };
}
