import { lastWorkingDay, offOn } from '../calendar/working-days.ts';
import type { KASHRUT_LEVELS } from '../events/fields.ts';
import type { Facts } from './fields.ts';

/**
 * What an event may need beyond its guests and vendors, by its facts. This table is advice drawn from public sources
 * and the practice of Israeli local authorities, not law: the authority at the place decides, and laws change.
 * Titles and reasons stand in messages.ts under the same names.
 */

/** All that the rules look at. */
export interface Circumstances extends Facts {
  /** The most that are expected: the guests invited at most, or those who said they come, where these are more. */
  people: number;
  venueCapacity: number | null;
  kashrutLevel: (typeof KASHRUT_LEVELS)[number];
  /** `HH:MM` */
  curfew: string;
}

export const GRANTORS = [
  'local_authority',
  'venue',
  'police',
  'fire_service',
  'magen_david_adom',
  'accessibility_expert',
  'insurer',
  'engineer',
  'electrician',
  'kashrut_body',
] as const;
export type Grantor = (typeof GRANTORS)[number];

export const SOURCES = [
  'business_licensing',
  'licensed_businesses',
  'safety_in_public_places',
  'accessible_service',
  'fire_and_rescue',
  'kashrut_deceit',
  'penal_law_minors',
  'noise_prevention',
  'electricity',
] as const;
export type Source = (typeof SOURCES)[number];

export interface Rule {
  grantedBy: Grantor;
  /** When to have it in hand, counted back from the event. */
  daysBefore: number;
  applies(event: Circumstances): boolean;
  /** The law it comes from; null: practice alone. */
  source: Source | null;
}

const CROWD = 100;
const MASS_EVENT = 500;

const crowd = ({ people }: Circumstances) => people >= CROWD;
const outdoorCrowd = (event: Circumstances) => event.outdoors && crowd(event);
/** Loudspeakers are not to be heard from homes between 23:00 and 06:00. */
const lateCurfew = ({ curfew }: Circumstances) => curfew > '23:00' || curfew < '06:00';

export const RULES = {
  venue_licence: {
    grantedBy: 'venue',
    daysBefore: 90,
    applies: (event) => crowd(event) && !event.outdoors,
    source: 'business_licensing',
  },
  temporary_event_licence: {
    grantedBy: 'local_authority',
    // Authorities ask for the application 30 to 60 days ahead.
    daysBefore: 60,
    applies: (event) => event.outdoors && event.people >= MASS_EVENT,
    source: 'licensed_businesses',
  },
  capacity: {
    grantedBy: 'venue',
    daysBefore: 45,
    applies: ({ people, venueCapacity }) => venueCapacity !== null && people > venueCapacity,
    source: 'safety_in_public_places',
  },
  accessibility: {
    grantedBy: 'accessibility_expert',
    daysBefore: 45,
    applies: crowd,
    source: 'accessible_service',
  },
  police: {
    grantedBy: 'police',
    daysBefore: 30,
    applies: outdoorCrowd,
    source: 'safety_in_public_places',
  },
  fire_safety: {
    grantedBy: 'fire_service',
    daysBefore: 30,
    applies: (event) => outdoorCrowd(event) || event.temporary_structures || event.fire_effects,
    source: 'fire_and_rescue',
  },
  insurance: {
    grantedBy: 'insurer',
    daysBefore: 30,
    applies: (event) => crowd(event) || event.temporary_structures || event.fire_effects,
    source: null,
  },
  kashrut_certificate: {
    grantedBy: 'kashrut_body',
    daysBefore: 30,
    applies: ({ kashrutLevel }) => kashrutLevel !== 'none',
    source: 'kashrut_deceit',
  },
  alcohol: {
    grantedBy: 'local_authority',
    daysBefore: 30,
    applies: ({ alcohol }) => alcohol,
    source: 'penal_law_minors',
  },
  first_aid: {
    grantedBy: 'magen_david_adom',
    daysBefore: 21,
    applies: (event) => outdoorCrowd(event) || event.people >= MASS_EVENT,
    source: null,
  },
  noise: {
    grantedBy: 'local_authority',
    daysBefore: 14,
    applies: (event) => event.amplified_music && (event.outdoors || lateCurfew(event)),
    source: 'noise_prevention',
  },
  structures: {
    grantedBy: 'engineer',
    daysBefore: 14,
    applies: ({ temporary_structures }) => temporary_structures,
    source: null,
  },
  electricity: {
    grantedBy: 'electrician',
    daysBefore: 7,
    applies: (event) => event.temporary_structures || (event.outdoors && event.amplified_music),
    source: 'electricity',
  },
} as const satisfies Record<string, Rule>;

export type Item = keyof typeof RULES;
export const ITEMS = Object.keys(RULES) as Item[];

/** The items that follow from an event's circumstances. */
export function itemsOf(event: Circumstances): Item[] {
  return ITEMS.filter((item) => RULES[item].applies(event));
}

/** The day by which an item should be settled: one on which offices work, the last up to so many days before. */
export function dueDate(eventDay: Temporal.PlainDate, daysBefore: number): Temporal.PlainDate {
  return lastWorkingDay(countedBack(eventDay, daysBefore));
}

/** Why it is earlier than so many days before: what that day is; undefined where it is not. */
export function earlierFor(eventDay: Temporal.PlainDate, daysBefore: number): ReturnType<typeof offOn> {
  return offOn(countedBack(eventDay, daysBefore));
}

function countedBack(eventDay: Temporal.PlainDate, daysBefore: number): Temporal.PlainDate {
  return eventDay.subtract({ days: daysBefore });
}
