import { SimchaError } from 'simcha-client';
import type { Language } from './languages.ts';
import { words } from './problem-words.ts';
import { sayIn } from './words.ts';

export interface Problem {
  /** What to tell a person, in the server's own words where it gave some. */
  sentence: string;
  /** The same beside the field that it is about, which names itself. */
  complaint: string;
  /** The field of the request that it is about. */
  field?: string;
  /** To quote to whoever runs the server. */
  requestId?: string;
  isOffline: boolean;
}

const unanswered = new WeakSet<object>();

/** What asking threw, where nothing answered: by itself it looks like a fault of the page. */
export function noteUnanswered(error: object): void {
  unanswered.add(error);
}

/** Whether it came from no server of ours: from none at all, or from what stands before one that is away. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof SimchaError) return error.status === 502 || (error.status === 503 && !error.code);
  if (!(error instanceof Error)) return false;
  // A part of the console that could not be loaded.
  return unanswered.has(error) || /dynamically imported module|module script|preload CSS/.test(error.message);
}

/** What an error means to whoever sees it. */
export function problemOf(error: unknown, language: Language): Problem {
  const say = sayIn(words, language);
  if (isUnreachable(error)) return { ...told(say('unreachable')), isOffline: true };
  if (!(error instanceof SimchaError)) return { ...told(say('broken')), isOffline: false };
  const { field, message, status, requestId } = error;
  return {
    sentence: forPeople(message, field),
    complaint: withoutField(message, field),
    isOffline: false,
    ...(field && { field }),
    ...(status >= 500 && requestId && { requestId }),
  };
}

const told = (sentence: string) => ({ sentence, complaint: sentence });

/** Without the names that machines have for fields, "The end (event_end) is before the start": they tell people nothing. */
export const forPeople = (sentence: string, field?: string): string =>
  sentence.replace(field ? ` (${field})` : '', '').replace(/ \([a-z]+(?:_[a-z]+)+\)/g, '');

/**
 * A sentence names its field for people and for machines, "Title (title): must be text."; beside the field itself that is
 * too much, and what is left of it begins as sentences do.
 */
export function withoutField(sentence: string, field: string | undefined): string {
  const complaint = field && sentence.split(`${field}): `)[1];
  return complaint ? complaint.charAt(0).toUpperCase() + complaint.slice(1) : sentence;
}
