import { daysAfterEasternEaster, daysAfterWesternEaster } from './easter.ts';
import { type HebrewDate, type HebrewMonth, hebrewDateOf } from './hebrew-dates.ts';
import { type HijriDate, hijriDateOf } from './umm-al-qura.ts';

/**
 * Days that an organizer in Israel should know of: their dates, and who keeps them. Their texts are in messages.ts
 * under the same names, their sources in docs/calendar.md.
 */

/** Groups of people who keep an occasion (a holiday, a fast and so on). */
export const CUSTOMS = [
  'jewish',
  'ashkenazi',
  'sephardi',
  'some_communities',
  'israel',
  'muslim',
  'muslim_and_druze',
  'druze',
  'western_christian',
  'eastern_christian',
] as const;
export type Custom = (typeof CUSTOMS)[number];

/**
 * Importance of an occasion. `not_held`: religious law or state law rules celebrations out; `customary`: many avoid
 * them.
 */
export const STRENGTHS = ['not_held', 'customary', 'good_to_know'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** Beginning and end of an occasion (a holiday, a fast), relative to the day on which it falls. */
export type OccasionSpan =
  /** Occasion of a whole day: from sunset on the day before to sunset. */
  | 'day'
  /** Occasion of Shabbat or yom tov: from candle lighting to nightfall. */
  | 'rest'
  /** Occasion that is a short fast: from dawn to nightfall. */
  | 'fast'
  /** Occasion that is a full fast: from sunset on the day before to nightfall. */
  | 'full_fast'
  /** Occasion that lasts from sunset on the day before to sunrise on the day after. */
  | 'to_next_morning';

/** Date of one day in all the calendars that decide on which days holidays fall. */
interface CalendarDate {
  /**
   * Civil date of the day's daylight. In religious calendars, the night before this daylight belongs to the same day.
   */
  date: Temporal.PlainDate;
  /** Day of the week: Monday is 1, Sunday 7. */
  weekday: number;
  hebrew: HebrewDate;
  hijri: HijriDate;
  westernEaster: number;
  easternEaster: number;
}

function calendarDateOf(date: Temporal.PlainDate): CalendarDate {
  let hijri: HijriDate | undefined;
  let [western, eastern]: (number | undefined)[] = [];
  return {
    date,
    weekday: date.dayOfWeek,
    hebrew: hebrewDateOf(date),
    // Dates of the Islamic calendar and of Easter are computed only when a rule reads them: most days need only the
    // Hebrew date.
    get hijri() {
      hijri ??= hijriDateOf(date);
      return hijri;
    },
    get westernEaster() {
      western ??= daysAfterWesternEaster(date);
      return western;
    },
    get easternEaster() {
      eastern ??= daysAfterEasternEaster(date);
      return eastern;
    },
  };
}

interface Rule {
  custom: Custom;
  strength: Strength;
  span: OccasionSpan;
  /**
   * Languages of the events for which the occasion matters. Events in other languages still show the occasion's days of
   * rest, as good to know.
   */
  audience: 'to_all' | 'in_arabic' | 'in_hebrew_and_english';
  falls(day: CalendarDate): boolean;
}

const [MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY] = [1, 2, 3, 4, 5, 6, 7];

/** Rule for a holiday that falls on a range of days within a Hebrew month. */
const hebrew =
  (month: HebrewMonth, from: number, to = from) =>
  ({ hebrew: { month: its, day } }: CalendarDate) =>
    its === month && day >= from && day <= to;

const hijri =
  (month: number, from: number, to = from) =>
  ({ hijri: { month: its, day } }: CalendarDate) =>
    its === month && day >= from && day <= to;

const civil =
  (month: number, from: number, to = from) =>
  ({ date }: CalendarDate) =>
    date.month === month && date.day >= from && date.day <= to;

/** Rule for a fast that moves to the day after if it would fall on Shabbat. */
const fastOn =
  (month: HebrewMonth, day: number) =>
  (almanac: CalendarDate): boolean =>
    (hebrew(month, day)(almanac) && almanac.weekday !== SATURDAY) ||
    (hebrew(month, day + 1)(almanac) && almanac.weekday === SUNDAY);

/** Rule for a range of days in Adar, in a leap year in Adar II. */
const lastAdar =
  (from: number, to = from) =>
  (day: CalendarDate) =>
    hebrew('adar', from, to)(day) || hebrew('adar_ii', from, to)(day);

/** Fast of Esther: 13 Adar; if that is Shabbat, the Thursday before. */
const fastOfEsther = (day: CalendarDate) =>
  (lastAdar(13)(day) && day.weekday !== SATURDAY) || (lastAdar(11)(day) && day.weekday === THURSDAY);

/**
 * Holocaust Remembrance Day: 27 Nisan; never next to Shabbat: if a Friday, the day before; if a Sunday, the day after.
 */
const holocaustDay = (day: CalendarDate) =>
  (hebrew('nisan', 27)(day) && day.weekday !== FRIDAY && day.weekday !== SUNDAY) ||
  (hebrew('nisan', 26)(day) && day.weekday === THURSDAY) ||
  (hebrew('nisan', 28)(day) && day.weekday === MONDAY);

/** Independence Day: 5 Iyar; if a Friday or Saturday, the Thursday before; if a Monday (since 2004), the Tuesday. */
const independenceDay = (day: CalendarDate) =>
  (hebrew('iyar', 5)(day) && day.weekday === WEDNESDAY) ||
  (hebrew('iyar', 3, 4)(day) && day.weekday === THURSDAY) ||
  (hebrew('iyar', 6)(day) && day.weekday === TUESDAY);

/** Remembrance Day: the day before Independence Day. */
const remembranceDay = (day: CalendarDate) =>
  (hebrew('iyar', 4)(day) && day.weekday === TUESDAY) ||
  (hebrew('iyar', 2, 3)(day) && day.weekday === WEDNESDAY) ||
  (hebrew('iyar', 5)(day) && day.weekday === MONDAY);

/** Hanukkah: eight days from 25 Kislev; Kislev has 29 or 30 days. */
const hanukkah = (day: CalendarDate) => {
  const first = hebrewDateOf(day.date.subtract({ days: 7 }));
  return (
    hebrew('kislev', 25, 30)(day) ||
    (hebrew('tevet', 1, 3)(day) && first.month === 'kislev' && first.day <= 25)
  );
};

const between = (days: number, from: number, to = from) => days >= from && days <= to;

const jewish = { custom: 'jewish', audience: 'in_hebrew_and_english', span: 'day' } as const;
const holiday = { ...jewish, strength: 'not_held', span: 'rest' } as const;
const fast = { ...jewish, strength: 'customary', span: 'fast' } as const;
const ofState = { custom: 'israel', audience: 'to_all', span: 'day' } as const;
const inArabic = { audience: 'in_arabic', span: 'day', strength: 'good_to_know' } as const;
const muslim = { ...inArabic, custom: 'muslim' } as const;
const western = { ...inArabic, custom: 'western_christian' } as const;
const eastern = { ...inArabic, custom: 'eastern_christian' } as const;

export const OCCASIONS = {
  shabbat: { ...holiday, falls: ({ weekday }) => weekday === SATURDAY },
  rosh_hashana: { ...holiday, falls: hebrew('tishri', 1, 2) },
  yom_kippur: { ...holiday, audience: 'to_all', falls: hebrew('tishri', 10) },
  sukkot: { ...holiday, falls: hebrew('tishri', 15) },
  shemini_atzeret: { ...holiday, falls: hebrew('tishri', 22) },
  pesach: { ...holiday, falls: hebrew('nisan', 15) },
  pesach_seventh: { ...holiday, falls: hebrew('nisan', 21) },
  shavuot: { ...holiday, falls: hebrew('sivan', 6) },
  chol_hamoed_sukkot: { ...jewish, strength: 'not_held', falls: hebrew('tishri', 16, 21) },
  chol_hamoed_pesach: { ...jewish, strength: 'not_held', falls: hebrew('nisan', 16, 20) },

  fast_of_gedaliah: { ...fast, falls: fastOn('tishri', 3) },
  tenth_of_tevet: { ...fast, falls: hebrew('tevet', 10) },
  fast_of_esther: { ...fast, falls: fastOfEsther },
  seventeenth_of_tammuz: { ...fast, falls: fastOn('tammuz', 17) },
  tisha_beav: { ...jewish, strength: 'not_held', span: 'full_fast', falls: fastOn('av', 9) },

  ten_days_of_repentance: {
    ...jewish,
    custom: 'some_communities',
    strength: 'good_to_know',
    falls: hebrew('tishri', 3, 9),
  },
  // Omer days within Pesach are left out: `chol_hamoed_pesach` covers them, and is stricter.
  omer: {
    ...jewish,
    strength: 'customary',
    falls: (day) => hebrew('nisan', 22, 30)(day) || hebrew('iyar', 1, 17)(day),
  },
  lag_baomer: { ...jewish, custom: 'ashkenazi', strength: 'good_to_know', falls: hebrew('iyar', 18) },
  omer_to_34th: {
    ...jewish,
    custom: 'sephardi',
    strength: 'customary',
    span: 'to_next_morning',
    falls: hebrew('iyar', 18),
  },
  omer_after_33rd: {
    ...jewish,
    custom: 'some_communities',
    strength: 'good_to_know',
    falls: (day) => hebrew('iyar', 19, 29)(day) || hebrew('sivan', 1, 2)(day),
  },
  three_weeks: {
    ...jewish,
    custom: 'ashkenazi',
    strength: 'customary',
    falls: hebrew('tammuz', 17, 29),
  },
  // The Nine Days before the fast of 9 Av end with that fast, also when it moves from Shabbat to the day after.
  nine_days: {
    ...jewish,
    strength: 'customary',
    falls: (day) => hebrew('av', 1, 9)(day) && !fastOn('av', 9)(day),
  },
  tu_beav: { ...jewish, strength: 'good_to_know', falls: hebrew('av', 15) },
  hanukkah: { ...jewish, strength: 'good_to_know', falls: hanukkah },
  purim: { ...jewish, strength: 'good_to_know', falls: lastAdar(14) },
  shushan_purim: { ...jewish, strength: 'good_to_know', falls: lastAdar(15) },

  holocaust_remembrance_day: { ...ofState, strength: 'not_held', falls: holocaustDay },
  remembrance_day: { ...ofState, strength: 'not_held', falls: remembranceDay },
  independence_day: { ...ofState, strength: 'good_to_know', falls: independenceDay },

  ramadan: { ...muslim, strength: 'customary', falls: hijri(9, 1, 30) },
  eid_al_fitr: { ...muslim, falls: hijri(10, 1, 3) },
  eid_al_adha: { ...muslim, custom: 'muslim_and_druze', falls: hijri(12, 10, 13) },
  islamic_new_year: { ...muslim, falls: hijri(1, 1) },
  ashura: { ...muslim, falls: hijri(1, 10) },
  mawlid: { ...muslim, falls: hijri(3, 12) },

  western_christmas: { ...western, falls: civil(12, 25) },
  eastern_christmas: { ...eastern, falls: civil(1, 7) },
  western_lent: {
    ...western,
    strength: 'customary',
    // Western Lent begins on Ash Wednesday.
    falls: ({ westernEaster }) => between(westernEaster, -46, -1),
  },
  eastern_lent: {
    ...eastern,
    strength: 'customary',
    // Eastern Lent begins on Clean Monday.
    falls: ({ easternEaster }) => between(easternEaster, -48, -1),
  },
  western_good_friday: {
    ...western,
    strength: 'not_held',
    falls: ({ westernEaster }) => westernEaster === -2,
  },
  eastern_good_friday: {
    ...eastern,
    strength: 'not_held',
    falls: ({ easternEaster }) => easternEaster === -2,
  },
  western_easter: { ...western, falls: ({ westernEaster }) => between(westernEaster, 0, 1) },
  eastern_easter: { ...eastern, falls: ({ easternEaster }) => between(easternEaster, 0, 1) },

  druze_ten_nights: { ...inArabic, custom: 'druze', falls: hijri(12, 1, 9) },
  nabi_shuayb: { ...inArabic, custom: 'druze', falls: civil(4, 25, 28) },
} as const satisfies Record<string, Rule>;

export type Occasion = keyof typeof OCCASIONS;
export const ALL_OCCASIONS = Object.keys(OCCASIONS) as Occasion[];

/** Occasions (holidays, fasts) that fall on a day. `among`: the occasions to consider, by default all. */
export function occasionsOn(
  date: Temporal.PlainDate,
  among: readonly Occasion[] = ALL_OCCASIONS,
): Occasion[] {
  const day = calendarDateOf(date);
  return among.filter((occasion) => OCCASIONS[occasion].falls(day));
}
