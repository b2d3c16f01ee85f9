import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { type Language, languageNameOf } from '../../kernel/languages.ts';
import { adviceAt, createAlmanac } from '../calendar/advice.ts';
import { exampleWords } from './words.ts';

/** The example event as bodies of the requests that create it. No guest has a real person's address or phone number. */
export interface Example {
  event: object;
  /** Settings for the guests' answers to the example event. */
  rsvp: object;
  invitation: object;
  agenda: object[];
  question: { kind: 'choice'; text: string; options: { text: string }[] };
  guests: { guest: object /** Index of the chosen option of the question. */; chose?: number }[];
  vendors: { vendor: object; booking: object }[];
}

const AHEAD_WEEKS = 10;
const LATEST_WEEKS = 40;
const BEGINS = { hour: 19, minute: 30 };

type Answer = 'yes' | 'no' | 'maybe' | undefined;
interface Household {
  party: number;
  children?: number;
  answer?: Answer;
  coming?: number;
  meals?: object;
  chose?: number;
}

/** Households of the example event's guests, in the same order as the guests in `exampleWords`. */
const HOUSEHOLDS: readonly Household[] = [
  { party: 1, answer: 'yes', meals: { mehadrin: 1 } },
  { party: 5, children: 3, answer: 'yes', meals: { childrens_meals: 3 }, chose: 1 },
  { party: 4, children: 2, answer: 'yes', coming: 3, meals: { vegetarian: 1 }, chose: 1 },
  { party: 2, answer: 'yes', meals: { vegan: 1 }, chose: 0 },
  { party: 4, children: 2, answer: 'no' },
  { party: 1, answer: 'yes', chose: 0 },
  { party: 6, children: 4, answer: 'yes', meals: { childrens_meals: 4 }, chose: 1 },
  { party: 2, answer: 'maybe' },
  { party: 3, children: 1 },
  { party: 1, answer: 'yes', meals: { vegetarian: 1 }, chose: 0 },
  { party: 4, children: 2, answer: 'yes', meals: { childrens_meals: 2 }, chose: 1 },
  { party: 2, answer: 'yes', chose: 1 },
  { party: 5, children: 3 },
  { party: 1, answer: 'no' },
  { party: 3, children: 1, answer: 'yes', chose: 0 },
  { party: 2 },
  { party: 4, children: 2, answer: 'maybe' },
  { party: 1, answer: 'yes', meals: { vegan: 1 }, chose: 1 },
  { party: 4, children: 2 },
  { party: 2, answer: 'yes', chose: 0 },
  { party: 2, answer: 'yes', chose: 1 },
  { party: 5, children: 3, answer: 'no' },
  { party: 1 },
  { party: 4, children: 2, answer: 'yes', meals: { childrens_meals: 2 }, chose: 1 },
  { party: 1, answer: 'yes', chose: 1 },
  { party: 3, children: 1 },
  { party: 2, answer: 'yes', chose: 0 },
  { party: 1 },
];

/** Makes the example event. `email`: the organizer's address, if known, so that one guest is the organizer. */
export function makeExample(language: Language, now: Temporal.Instant, email: string | undefined): Example {
  const words = exampleWords[language];
  const today = now.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
  const begins = goodDay(today, language);
  const at = (time: object) => begins.with(time).toInstant().toString();
  const day = (days: number) => today.add({ days }).toString();
  const sides = [...words.sides, words.friends];
  return {
    event: {
      title: words.title,
      description: words.description,
      event_date: begins.toInstant().toString(),
      venue_name: words.venue,
      venue_address: words.address,
      max_guests: 120,
      venue_capacity: 150,
      budget: 120_000,
      kashrut_level: language === 'ar' ? 'none' : 'mehadrin',
      language_pref: languageNameOf(language),
    },
    rsvp: { plus_ones_each: 1 },
    invitation: { hosts: { [languageNameOf(language)]: words.hosts } },
    agenda: words.agenda.map((title, index) => ({ title, starts_at: at({ hour: 19 + index, minute: 30 }) })),
    question: { kind: 'choice', text: words.question, options: words.options.map((text) => ({ text })) },
    guests: [
      ...words.guests.map((name, index) =>
        guestOf(name, index, HOUSEHOLDS[index] ?? { party: 1 }, words, sides),
      ),
      ...(email ? [{ guest: { name: words.self, email } }] : []),
    ],
    vendors: [
      {
        vendor: { name: words.vendors.catering, kind: 'catering' },
        booking: {
          status: 'confirmed',
          price_per_plate: 320,
          minimum_plates: 60,
          payments: [
            { amount: 8_000, due_date: day(-10), paid_date: day(-10) },
            { amount: 12_000, due_date: day(10) },
          ],
        },
      },
      {
        vendor: { name: words.vendors.dj, kind: 'dj' },
        booking: {
          status: 'confirmed',
          price: 6_500,
          starts_at: at({ hour: 19 }),
          payments: [{ amount: 1_500, due_date: day(-3) }],
        },
      },
      {
        vendor: { name: words.vendors.photographer, kind: 'photographer' },
        booking: { price: 9_000, payments: [{ amount: 2_000, due_date: day(21) }] },
      },
      { vendor: { name: words.vendors.flowers, kind: 'flowers' }, booking: { price: 4_500 } },
    ],
  };
}

function guestOf(
  name: string,
  index: number,
  { party, children = 0, answer, coming = party, meals = {}, chose }: Household,
  words: (typeof exampleWords)[Language],
  sides: readonly string[],
): Example['guests'][number] {
  const isComing = answer === 'yes';
  const guest = {
    name,
    party_size: party,
    party_children: children,
    tags: [sides[index % sides.length]],
    ...(answer && { rsvp_status: { yes: 'confirmed', no: 'declined', maybe: 'maybe' }[answer] }),
    ...(isComing && { coming, ...meals }),
    ...(index === 1 && { message: words.message }),
    ...(index === 2 && { allergies: words.allergies }),
    ...(index === 0 && { note: words.note }),
  };
  return { guest, ...(isComing && chose !== undefined && { chose }) };
}

/** Evening in the middle of a week, some weeks ahead, on which no holiday or custom stands in the way. */
function goodDay(today: Temporal.PlainDate, language: Language): Temporal.ZonedDateTime {
  const tuesday = today.add({ weeks: AHEAD_WEEKS }).add({ days: (9 - today.dayOfWeek) % 7 });
  const almanac = createAlmanac();
  const evenings = Array.from({ length: LATEST_WEEKS - AHEAD_WEEKS }, (_, weeks) =>
    tuesday.add({ weeks }).toZonedDateTime({ timeZone: DEFAULT_ZONE, plainTime: BEGINS }),
  );
  const circle = { zone: DEFAULT_ZONE, language: languageNameOf(language) };
  const isFree = (evening: Temporal.ZonedDateTime) =>
    adviceAt(evening.toInstant(), circle, almanac).every(({ strength }) => strength === 'good_to_know');
  return evenings.find(isFree) ?? (evenings[0] as Temporal.ZonedDateTime);
}
