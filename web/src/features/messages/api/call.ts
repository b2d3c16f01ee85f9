import { type NewCall, SimchaError } from 'simcha-client';
import { wallTimeOf } from '../../../lib/dates.ts';
import type { DayAndTimeValues } from './draft.ts';

export const OUTCOMES = ['reached', 'no_answer', 'call_again', 'wrong_number'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Replies that the user can note after a phone call; `none` means that the guest was reached and did not say. */
export const ANSWERS_BY_PHONE = ['confirmed', 'maybe', 'declined', 'none'] as const;

/** Values of the form for a phone call; an empty field is ''. */
export type CallValues = DayAndTimeValues & {
  outcome: '' | Outcome;
  answer: (typeof ANSWERS_BY_PHONE)[number];
  coming: number | string;
  coming_children: number | string;
  note: string;
};

export const NO_CALL: CallValues = {
  outcome: '',
  answer: 'none',
  coming: '',
  coming_children: '',
  note: '',
  date: null,
  time: '',
};

/** Field of the call form that must be filled before the call can be saved; undefined if there is none. */
export function missingFieldOfCall({ outcome, ...values }: CallValues): 'outcome' | 'date' | undefined {
  if (!outcome) return 'outcome';
  return outcome === 'call_again' && !wallTimeOf(values) ? 'date' : undefined;
}

/** Request body that records a phone call. Typed values that do not go with the call's outcome are left out. */
export function newCallOf(values: CallValues): NewCall {
  const { outcome, answer, coming, coming_children: children, note } = values;
  const isYes = outcome === 'reached' && answer === 'confirmed';
  return {
    outcome: outcome || 'no_answer',
    note: note.trim() || null,
    ...(outcome === 'call_again' && { call_again_at: wallTimeOf(values) ?? null }),
    ...(outcome === 'reached' && answer !== 'none' && { rsvp_status: answer }),
    ...(isYes && coming !== '' && { coming: Number(coming) }),
    ...(isYes && children !== '' && { coming_children: Number(children) }),
  };
}

/**
 * Number of people who can come, if the server refused to record a call because the guest's reply is for more; undefined
 * for other errors.
 */
export function mostWhoCanCome(error: unknown): number | undefined {
  if (!(error instanceof SimchaError) || error.code !== 'full') return undefined;
  return (error.body as { up_to: number }).up_to;
}

const FIELDS: Readonly<Record<string, keyof CallValues>> = { rsvp_status: 'answer', call_again_at: 'date' };

/** Name of the call form's field for a field of the API. */
export const fieldOfCall = (field: string): string => FIELDS[field] ?? field;
