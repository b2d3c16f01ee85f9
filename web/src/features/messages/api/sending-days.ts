import type { NamedAdvice } from 'simcha-client';
import type { Say } from '../../../lib/words.ts';
import type { words } from '../words.ts';

type Code = NamedAdvice['code'];

/** As the server tells of them: who keeps one looks at no phone. */
const REST = new Set<Code>([
  ...(['shabbat', 'rosh_hashana', 'yom_kippur', 'sukkot', 'shemini_atzeret'] as const),
  ...(['pesach', 'pesach_seventh', 'shavuot'] as const),
]);
const QUIET = new Set<Code>(['tisha_beav', 'holocaust_remembrance_day', 'remembrance_day']);

/** What a day means to a message that goes out on it: whether weddings are held then is another matter. */
export function sendingAdvice(advice: readonly NamedAdvice[], say: Say<typeof words>) {
  return advice.flatMap((one) => {
    // Of those alone who keep it: to others it is good to know of an event.
    const isKept = one.strength === 'not_held';
    const key = (isKept && REST.has(one.code) && 'restWhenSent') || (QUIET.has(one.code) && 'quietWhenSent');
    return key ? [{ ...one, strength: 'good_to_know' as const, message: say(key, { day: one.name }) }] : [];
  });
}
