import { KASHRUT_LEVELS } from '../events/fields.ts';

export type KashrutLevel = (typeof KASHRUT_LEVELS)[number];

/**
 * True if a vendor's kashrut certificate is at least as strict as the event requires. The levels are listed from
 * lenient to strict.
 */
export function meetsLevel(certificate: KashrutLevel, wanted: KashrutLevel): boolean {
  return KASHRUT_LEVELS.indexOf(certificate) >= KASHRUT_LEVELS.indexOf(wanted);
}

/** True if a kashrut certificate whose last valid day is `expiry` is valid on `day`. */
export function isValidOn(expiry: Temporal.PlainDate, day: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(expiry, day) >= 0;
}
