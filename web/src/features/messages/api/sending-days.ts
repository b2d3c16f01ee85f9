import type { NamedAdvice } from 'simcha-client';
import type { Say } from '../../../lib/words.ts';
import type { words } from '../words.ts';

type Code = NamedAdvice['code'];

/** Days of rest, by the names that the server gives them: people who keep them do not look at a phone. */
const REST = new Set<Code>([
  ...(['shabbat', 'rosh_hashana', 'yom_kippur', 'sukkot', 'shemini_atzeret'] as const),
  ...(['pesach', 'pesach_seventh', 'shavuot'] as const),
]);
const QUIET = new Set<Code>(['tisha_beav', 'holocaust_remembrance_day', 'remembrance_day']);

/** Calendar's advice about sending a message on a day, which differs from the advice about holding an event on it. */
export function sendingAdvice(advice: readonly NamedAdvice[], say: Say<typeof words>) {
  return advice.flatMap((one) => {
    // A day of rest matters only if the people of the event keep it: the server then gives the advice the strength
    // `not_held`. For other events a day of rest is mere information.
    const isKept = one.strength === 'not_held';
    const key = (isKept && REST.has(one.code) && 'restWhenSent') || (QUIET.has(one.code) && 'quietWhenSent');
    return key ? [{ ...one, strength: 'good_to_know' as const, message: say(key, { day: one.name }) }] : [];
  });
}
