export const EVENT_KINDS = ['wedding', 'bar_mitzva', 'brit', 'conference', 'other'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * Kind of a new event, and the form values whose defaults depend on the kind. Of these values, the form of an existing
 * event has only the time.
 */
export type KindDefaults = {
  kind: EventKind | null;
  time: string;
  /** Number of people whom each guest may bring beyond those invited. */
  plus_ones_each: number | string;
};

type Defaults = Omit<KindDefaults, 'kind'>;

/** Default values of a new event before the user chooses its kind. */
export const EVENING: Defaults = { time: '19:30', plus_ones_each: 0 };
const DEFAULTS: Readonly<Record<EventKind, Defaults>> = {
  wedding: { ...EVENING, plus_ones_each: 1 },
  bar_mitzva: EVENING,
  brit: { time: '10:00', plus_ones_each: 0 },
  conference: { time: '09:00', plus_ones_each: 0 },
  other: EVENING,
};

/** True if guests of a new event of this kind are asked for the names of the people who come, as for badges. */
export function isAskingForNames(kind: EventKind | null): boolean {
  return kind === 'conference';
}

/**
 * Values of the event form after the user chose the kind of event. Defaults of the former kind give way; typed values
 * stay.
 */
export function valuesWithKind<V extends KindDefaults>(values: V, kind: EventKind | null): V {
  const before = values.kind ? DEFAULTS[values.kind] : EVENING;
  const after = kind ? DEFAULTS[kind] : EVENING;
  return {
    ...values,
    kind,
    time: values.time === before.time ? after.time : values.time,
    plus_ones_each:
      values.plus_ones_each === before.plus_ones_each ? after.plus_ones_each : values.plus_ones_each,
  };
}
