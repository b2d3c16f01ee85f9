import { JERUSALEM, type Place } from './sun.ts';

/** Israel and what lies beside it: events are in its time, and farther away its customs say little. */
const [SOUTH, NORTH, WEST, EAST] = [29.4, 33.5, 34.1, 36];

/** Towns that light candles earlier than most, from their middle to where their houses end. Sources: docs/calendar.md. */
const EARLY: readonly (Place & { kilometres: number })[] = [
  { ...JERUSALEM, kilometres: 9 },
  { latitude: 32.794, longitude: 34.99, candleLighting: 30, kilometres: 8 },
];
const ELSEWHERE = 20;

/** Where the sun is looked for by an event's `coordinates`; undefined, and so Jerusalem, without any or far away. */
export function placeAt(coordinates: string | null): Place | undefined {
  const [latitude = Number.NaN, longitude = Number.NaN] = coordinates?.split(',').map(Number) ?? [];
  if (!(latitude >= SOUTH && latitude <= NORTH && longitude >= WEST && longitude <= EAST)) return undefined;
  const town = EARLY.find((early) => kilometresBetween(early, { latitude, longitude }) <= early.kilometres);
  return { latitude, longitude, candleLighting: town?.candleLighting ?? ELSEWHERE };
}

type Point = Pick<Place, 'latitude' | 'longitude'>;

const KILOMETRES_A_DEGREE = 111.2;

/** Over so few kilometres the earth is flat. */
function kilometresBetween(one: Point, other: Point): number {
  const east = (one.longitude - other.longitude) * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(one.latitude - other.latitude, east) * KILOMETRES_A_DEGREE;
}
