import { JERUSALEM, type SunLocation } from './sun.ts';

/** Bounds of Israel and its surroundings. Events run on Israel's time, and farther away its customs mean little. */
const [SOUTH, NORTH, WEST, EAST] = [29.4, 33.5, 34.1, 36];

/** Towns that light candles earlier than most, each with the radius of its built-up area. Sources: docs/calendar.md. */
const EARLY: readonly (SunLocation & { kilometres: number })[] = [
  { ...JERUSALEM, kilometres: 9 },
  { latitude: 32.794, longitude: 34.99, candleLighting: 30, kilometres: 8 },
];
const ELSEWHERE = 20;

/** Place of an event's `coordinates`. Undefined without coordinates or far from Israel; Jerusalem is used then. */
export function placeAt(coordinates: string | null): SunLocation | undefined {
  const [latitude = Number.NaN, longitude = Number.NaN] = coordinates?.split(',').map(Number) ?? [];
  if (!(latitude >= SOUTH && latitude <= NORTH && longitude >= WEST && longitude <= EAST)) return undefined;
  const town = EARLY.find((early) => kilometresBetween(early, { latitude, longitude }) <= early.kilometres);
  return { latitude, longitude, candleLighting: town?.candleLighting ?? ELSEWHERE };
}

type Point = Pick<SunLocation, 'latitude' | 'longitude'>;

const KILOMETRES_A_DEGREE = 111.2;

/** Distance between two places as on a flat earth, which is exact enough over a few kilometres. */
function kilometresBetween(one: Point, other: Point): number {
  const east = (one.longitude - other.longitude) * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(one.latitude - other.latitude, east) * KILOMETRES_A_DEGREE;
}
