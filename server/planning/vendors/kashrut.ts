import { KASHRUT_LEVELS } from '../events/fields.ts';

export type KashrutLevel = (typeof KASHRUT_LEVELS)[number];

/** Whether a certificate of one level serves an event of another: the levels stand in rising order. */
export function satisfies(certificate: KashrutLevel, wanted: KashrutLevel): boolean {
  return KASHRUT_LEVELS.indexOf(certificate) >= KASHRUT_LEVELS.indexOf(wanted);
}

/** Whether a certificate that is valid through `expiry` still is on `day`. */
export function isValidOn(expiry: Temporal.PlainDate, day: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(expiry, day) >= 0;
}
