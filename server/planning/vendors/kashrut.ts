import { KASHRUT_LEVELS } from '../events/fields.ts';

export type KashrutLevel = (typeof KASHRUT_LEVELS)[number];

/** True if a certificate's level is enough for the event's level. The levels are listed in rising order. */
export function meetsLevel(certificate: KashrutLevel, wanted: KashrutLevel): boolean {
  return KASHRUT_LEVELS.indexOf(certificate) >= KASHRUT_LEVELS.indexOf(wanted);
}

/** True if a certificate is valid on `day`; `expiry` is its last valid day. */
export function isValidOn(expiry: Temporal.PlainDate, day: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(expiry, day) >= 0;
}
