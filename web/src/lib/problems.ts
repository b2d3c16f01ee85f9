import { SimchaError } from 'simcha-client';
import type { Language } from './languages.ts';
import { words } from './problem-words.ts';
import { sayIn } from './words.ts';

export interface Problem {
  /** Sentence about the error for people, in the server's own words if it sent any. */
  sentence: string;
  /** Sentence about the error without the field's name, to show beside the field. */
  complaint: string;
  /** Name of the request's field that is wrong. */
  field?: string;
  /** Identifier of the failed request, which the user quotes when asking the operator for help. */
  requestId?: string;
  isOffline: boolean;
}

const unanswered = new WeakSet<object>();

/**
 * Marks an error as a failed connection to the server. Without the mark it would be reported as an error of the page.
 */
export function markUnreachable(error: object): void {
  unanswered.add(error);
}

/**
 * True if an error does not come from the server itself: there was no response, or a proxy answered for a server that
 * is away.
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof SimchaError) return error.status === 502 || (error.status === 503 && !error.code);
  if (!(error instanceof Error)) return false;
  // A part of the console's code that could not be loaded also means that the server is unreachable.
  return unanswered.has(error) || /dynamically imported module|module script|preload CSS/.test(error.message);
}

/** Explains an error to the user in the given language. */
export function problemOf(error: unknown, language: Language): Problem {
  const say = sayIn(words, language);
  if (isUnreachable(error)) return { ...inOneSentence(say('unreachable')), isOffline: true };
  if (!(error instanceof SimchaError)) return { ...inOneSentence(say('broken')), isOffline: false };
  const { field, message, status, requestId } = error;
  return {
    sentence: withoutMachineNames(message, field),
    complaint: complaintOf(message, field),
    isOffline: false,
    ...(field && { field }),
    ...(status >= 500 && requestId && { requestId }),
  };
}

const inOneSentence = (sentence: string) => ({ sentence, complaint: sentence });

/**
 * Names of fields and values of the API that server messages mention in parentheses, such as `(create)`. They have no
 * underscore by which they could be recognized.
 */
const API_NAMES = 'mapping|create|update';
/** Parentheses that contain a name of the API: `(event_end)`, `(doubles=skip)`, `(asked: false)`. */
const API_NOTE = new RegExp(
  ` \\((?:[^()@/]*(?:[a-z]_[a-z]|[a-z]=[a-z])[^()@/]*|[a-z]+: [a-z]+|${API_NAMES})\\)`,
  'g',
);
/** Last sentence of an error message that tells a program which field to send: `To give places anyway: over_limit.` */
const API_HINT = / [^.:]*: [a-z]+(?:_[a-z]+)+\.$/;

/**
 * Removes the names of the API from a sentence, as in "The end (event_end) is before the start": people do not know
 * them.
 */
export const withoutMachineNames = (sentence: string, field?: string): string =>
  sentence
    .replace(field ? ` (${field})` : '', '')
    .replaceAll(API_NOTE, '')
    .replace(API_HINT, '');

/** Sentence about an error without the field's name, to show beside the field. */
export const complaintOf = (sentence: string, field: string | undefined): string =>
  withoutMachineNames(withoutFieldName(sentence, field));

/**
 * Removes the field's name from an error such as "Title (title): must be text." and capitalizes the rest, because the
 * field beside the error shows its name. Errors of the API for developers begin with the API's name of the field:
 * `email: must be …`.
 */
export function withoutFieldName(sentence: string, field: string | undefined): string {
  if (!field) return sentence;
  const complaint =
    sentence.split(`${field}): `)[1] ??
    (sentence.startsWith(`${field}: `) ? sentence.slice(field.length + 2) : undefined);
  return complaint ? complaint.charAt(0).toUpperCase() + complaint.slice(1) : sentence;
}
