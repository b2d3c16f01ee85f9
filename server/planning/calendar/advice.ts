import type { LanguageName } from '../../kernel/languages.ts';
import {
  ALL_OCCASIONS,
  type Custom,
  OCCASIONS,
  type Occasion,
  occasionsOn,
  STRENGTHS,
  type Strength,
} from './occasions.ts';
import {
  candleLightingOn,
  dawnOn,
  JERUSALEM,
  nightfallOn,
  type SunLocation,
  sunriseOn,
  sunsetOn,
} from './sun.ts';

/**
 * Codes of advice about an event's date: an occasion on it, or a day of rest that is about to begin or has just ended.
 */
export const ADVICE_CODES = [
  ...ALL_OCCASIONS,
  'shabbat_eve',
  'holiday_eve',
  'shabbat_end',
  'holiday_end',
] as const;
export type AdviceCode = (typeof ADVICE_CODES)[number];

export interface Advice extends Stretch {
  code: AdviceCode;
  /**
   * True if the advice about the event's date already applies when the event begins; false if it applies only later
   * during the event.
   */
  atStart: boolean;
  occasion: Occasion;
  /**
   * True for a day of rest that the event's guests do not keep, but that closes businesses around them all the same.
   */
  keptByOthers: boolean;
  custom: Custom;
  strength: Strength;
}

/** Time from the beginning to the end of a day of rest or other occasion. Adjacent days of rest form one such time. */
interface Stretch {
  begins: Temporal.Instant;
  ends: Temporal.Instant;
}

/** Place and audience of an event. The event's `language` decides whose holidays matter to its guests. */
export interface CalendarContext {
  zone: string;
  language: LanguageName;
  /** Place of the event, by whose sunset the days begin; Jerusalem if undefined. */
  place?: SunLocation | undefined;
}

/** Looks up the occasions (holidays, fasts and so on) of a day. Results are cached, for loops over many days. */
export type Almanac = (date: Temporal.PlainDate) => readonly Occasion[];

export function createAlmanac(): Almanac {
  const cache = new Map<string, readonly Occasion[]>();
  return (date) => {
    const name = date.toString();
    const occasions = cache.get(name) ?? occasionsOn(date);
    cache.set(name, occasions);
    return occasions;
  };
}

/** Advice about an event at one instant, such as that a holiday begins soon; the most important advice comes first. */
export function adviceAt(
  instant: Temporal.Instant,
  circle: CalendarContext,
  almanac = createAlmanac(),
): Advice[] {
  return adviceDuring({ begins: instant, ends: instant }, circle, almanac);
}

/**
 * Advice about an event from its beginning to its end. The most important comes first; of equally important advice,
 * that about the beginning.
 */
export function adviceDuring(
  { begins: instant, ends: last }: Stretch,
  { zone, language, place = JERUSALEM }: CalendarContext,
  almanac = createAlmanac(),
): Advice[] {
  const today = instant.toZonedDateTimeISO(zone).toPlainDate();
  const tomorrow = today.add({ days: 1 });
  // Occasions of the days before and after count too: yesterday's may continue, and tomorrow's may have begun already.
  const days = today.until(last.toZonedDateTimeISO(zone).toPlainDate()).days;
  const ongoing = Array.from({ length: days + 3 }, (_, day) => today.add({ days: day - 1 })).flatMap((date) =>
    relevantOn(date)
      .filter((occasion) => overlapsEvent(spanOf(occasion, date, place)))
      .map((occasion) => adviceOf(occasion, occasion, date)),
  );
  const isRest = ongoing.some(({ occasion, keptByOthers }) => isOfRest(occasion) && !keptByOthers);
  const besides = isRest ? [] : [...eves(), ...ends()];
  const all = [...ongoing, ...besides].filter(isFirstOfItsCode);
  return all.sort(
    (a, b) =>
      STRENGTHS.indexOf(a.strength) - STRENGTHS.indexOf(b.strength) || Number(b.atStart) - Number(a.atStart),
  );

  /**
   * True if the period of an occasion includes the event's beginning, or begins between the event's beginning and end.
   */
  function overlapsEvent(span: Stretch): boolean {
    return isWithin(instant, span) || (isBefore(instant, span.begins) && isBefore(span.begins, last));
  }

  function relevantOn(date: Temporal.PlainDate): Occasion[] {
    return almanac(date).filter((occasion) => isRelevant(occasion, language));
  }

  function restsOn(date: Temporal.PlainDate): Occasion[] {
    return relevantOn(date).filter(isOfRest);
  }

  function ownRestsOn(date: Temporal.PlainDate): Occasion[] {
    return restsOn(date).filter((occasion) => isKept(occasion, language));
  }

  /** Advice about days of rest (Shabbat or holidays) that begin in the evening of the event's day. */
  function eves(): Advice[] {
    return ownRestsOn(tomorrow)
      .map((occasion) =>
        besideRest(occasion === 'shabbat' ? 'shabbat_eve' : 'holiday_eve', occasion, tomorrow),
      )
      .filter(({ begins }) => isBefore(instant, begins));
  }

  /** Advice about days of rest (Shabbat or holidays) that end in the evening of the event's day. */
  function ends(): Advice[] {
    return ownRestsOn(today)
      .map((occasion) => besideRest(occasion === 'shabbat' ? 'shabbat_end' : 'holiday_end', occasion, today))
      .filter(({ ends }) => !isBefore(instant, ends));
  }

  function besideRest(code: AdviceCode, occasion: Occasion, date: Temporal.PlainDate): Advice {
    return { ...adviceOf(code, occasion, date), strength: 'good_to_know', atStart: true };
  }

  function adviceOf(code: AdviceCode, occasion: Occasion, date: Temporal.PlainDate): Advice {
    const { custom, strength: own } = OCCASIONS[occasion];
    const ofOthers = !isKept(occasion, language);
    const strength = ofOthers ? 'good_to_know' : own;
    const span = spanOf(occasion, date, place);
    const times = isOfRest(occasion) ? restAround(date) : span;
    return {
      code,
      occasion,
      keptByOthers: ofOthers,
      custom,
      strength,
      atStart: isWithin(instant, span),
      ...times,
    };
  }

  /** Days of rest may follow one another: Rosh Hashana has two, and Shabbat may come before or after. */
  function restAround(date: Temporal.PlainDate): Stretch {
    let first = date;
    let last = date;
    for (let day = first; restsOn(day).length > 0; day = day.subtract({ days: 1 })) first = day;
    for (let day = last; restsOn(day).length > 0; day = day.add({ days: 1 })) last = day;
    return { begins: candleLightingOn(first.subtract({ days: 1 }), place), ends: nightfallOn(last, place) };
  }
}

/** True if the instant is on a Shabbat or holiday that the event's guests keep. */
export function isDayOfRest(instant: Temporal.Instant, circle: CalendarContext): boolean {
  return adviceAt(instant, circle).some(
    ({ code, occasion, keptByOthers }) => code === occasion && isOfRest(occasion) && !keptByOthers,
  );
}

/**
 * True if the occasion matters to the event. Days of rest matter to all events: venues, vendors and buses stop then.
 */
function isRelevant(occasion: Occasion, language: LanguageName): boolean {
  return isOfRest(occasion) || isKept(occasion, language);
}

/** True if the event's guests keep the occasion, or if the law makes everybody keep it. */
function isKept(occasion: Occasion, language: LanguageName): boolean {
  const { audience } = OCCASIONS[occasion];
  return audience === 'to_all' || (audience === 'in_arabic') === (language === 'arabic');
}

function isOfRest(occasion: Occasion): boolean {
  return OCCASIONS[occasion].span === 'rest';
}

function spanOf(occasion: Occasion, date: Temporal.PlainDate, place: SunLocation): Stretch {
  const dayBefore = date.subtract({ days: 1 });
  switch (OCCASIONS[occasion].span) {
    case 'day':
      return { begins: sunsetOn(dayBefore, place), ends: sunsetOn(date, place) };
    case 'rest':
      return { begins: candleLightingOn(dayBefore, place), ends: nightfallOn(date, place) };
    case 'fast':
      return { begins: dawnOn(date, place), ends: nightfallOn(date, place) };
    case 'full_fast':
      return { begins: sunsetOn(dayBefore, place), ends: nightfallOn(date, place) };
    case 'to_next_morning':
      return { begins: sunsetOn(dayBefore, place), ends: sunriseOn(date.add({ days: 1 }), place) };
  }
}

/**
 * True if no earlier advice in the list has the same code and occasion: an occasion of several days yields one piece of
 * advice.
 */
function isFirstOfItsCode({ code, occasion }: Advice, index: number, all: readonly Advice[]): boolean {
  return all.findIndex((other) => other.code === code && other.occasion === occasion) === index;
}

function isWithin(instant: Temporal.Instant, { begins, ends }: Stretch): boolean {
  return !isBefore(instant, begins) && isBefore(instant, ends);
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}
