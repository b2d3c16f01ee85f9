import { dayOffOn, lastWorkingDay } from '../calendar/working-days.ts';
import type { KASHRUT_LEVELS } from '../events/fields.ts';
import type { ChecklistFacts } from './fields.ts';

/**
 * Rules of the compliance checklist: the licences, approvals and services an event may need, by its facts. The table is
 * advice from public sources and the practice of Israeli local authorities, not law: the local authority decides, and
 * laws change. Titles and reasons are in messages.ts under the same names.
 */

/** Facts about an event by which the rules choose the items of its checklist. */
export interface Circumstances extends ChecklistFacts {
  /**
   * Expected number of people: the maximum number of guests or, if that is higher, the number of people who said yes.
   */
  people: number;
  venueCapacity: number | null;
  kashrutLevel: (typeof KASHRUT_LEVELS)[number];
  /** Hour from which loud music is forbidden, as `HH:MM`. */
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

export const LEGAL_SOURCES = [
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
export type LegalSource = (typeof LEGAL_SOURCES)[number];

export interface ChecklistRule {
  grantedBy: Grantor;
  /** Number of days before the event by which the checklist item should be done. */
  daysBefore: number;
  applies(event: Circumstances): boolean;
  /** Law that requires the checklist item; null if the item is only common practice. */
  source: LegalSource | null;
}

const CROWD = 100;
const MASS_EVENT = 500;

const crowd = ({ people }: Circumstances) => people >= CROWD;
const outdoorCrowd = (event: Circumstances) => event.outdoors && crowd(event);
/** In Israel, loudspeakers must not be heard in homes between 23:00 and 06:00. */
const lateCurfew = ({ curfew }: Circumstances) => curfew > '23:00' || curfew < '06:00';

export const CHECKLIST_RULES = {
  venue_licence: {
    grantedBy: 'venue',
    daysBefore: 90,
    applies: (event) => crowd(event) && !event.outdoors,
    source: 'business_licensing',
  },
  temporary_event_licence: {
    grantedBy: 'local_authority',
    // Local authorities want the request for the licence of a large outdoor event 30 to 60 days before the event.
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
} as const satisfies Record<string, ChecklistRule>;

export type ItemName = keyof typeof CHECKLIST_RULES;
export const ITEM_NAMES = Object.keys(CHECKLIST_RULES) as ItemName[];

/** Checklist items that apply to an event. */
export function itemsOf(event: Circumstances): ItemName[] {
  return ITEM_NAMES.filter((item) => CHECKLIST_RULES[item].applies(event));
}

/** Due date of a checklist item: the last working day up to `daysBefore` days before the event. */
export function dueDate(eventDay: Temporal.PlainDate, daysBefore: number): Temporal.PlainDate {
  return lastWorkingDay(countedBack(eventDay, daysBefore));
}

/**
 * Reason why a checklist item is due earlier than `daysBefore` days before the event (a Friday, Saturday or holiday);
 * undefined if it is not.
 */
export function reasonForEarlierDueDate(
  eventDay: Temporal.PlainDate,
  daysBefore: number,
): ReturnType<typeof dayOffOn> {
  return dayOffOn(countedBack(eventDay, daysBefore));
}

function countedBack(eventDay: Temporal.PlainDate, daysBefore: number): Temporal.PlainDate {
  return eventDay.subtract({ days: daysBefore });
}
