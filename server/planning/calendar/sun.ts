/** Position on the earth at sea level, in degrees; north and east are positive. */
export interface SunLocation {
  latitude: number;
  longitude: number;
  /** Minutes before sunset at which people of this place light candles for Shabbat. */
  candleLighting: number;
}

/** Default place, whose sunset counts for events without coordinates. */
export const JERUSALEM: SunLocation = { latitude: 31.778, longitude: 35.235, candleLighting: 40 };

/**
 * Altitude of the sun's centre at sunrise and sunset, in degrees: half its disc, plus the refraction at the horizon.
 */
const HORIZON = -0.833;
/**
 * Altitude of the sun, in degrees, when three small stars are visible: the end of Shabbat by most calendars in Israel.
 */
const NIGHTFALL = -8.5;
/**
 * Altitude of the sun, in degrees, at dawn, when fasts begin: 72 minutes before sunrise at the equinox in Jerusalem.
 */
const DAWN = -16.1;

export function sunsetOn(day: Temporal.PlainDate, place = JERUSALEM): Temporal.Instant {
  return altitudeTime(day, HORIZON, 'sets', place);
}

export function nightfallOn(day: Temporal.PlainDate, place = JERUSALEM): Temporal.Instant {
  return altitudeTime(day, NIGHTFALL, 'sets', place);
}

export function sunriseOn(day: Temporal.PlainDate, place = JERUSALEM): Temporal.Instant {
  return altitudeTime(day, HORIZON, 'rises', place);
}

export function dawnOn(day: Temporal.PlainDate, place = JERUSALEM): Temporal.Instant {
  return altitudeTime(day, DAWN, 'rises', place);
}

export function candleLightingOn(day: Temporal.PlainDate, place = JERUSALEM): Temporal.Instant {
  return sunsetOn(day, place).subtract({ minutes: place.candleLighting });
}

const MINUTES_A_DAY = 1440;

/**
 * Instant at which the sun's centre passes an altitude (in degrees), to the second, by the formulas of NOAA's solar
 * calculator (https://gml.noaa.gov/grad/solcalc/calcdetails.html, public domain; after Meeus, Astronomical Algorithms).
 * Accurate to a minute between the polar circles from 1900 to 2100; the weather can shift it by another minute.
 */
function altitudeTime(
  day: Temporal.PlainDate,
  altitude: number,
  way: 'rises' | 'sets',
  { latitude, longitude }: SunLocation,
): Temporal.Instant {
  const midnight = day.toZonedDateTime('UTC').toInstant();
  const daysSince2000 = midnight.epochMilliseconds / 86_400_000 - 10_957.5;
  let minutes = MINUTES_A_DAY / 2;
  // The sun's declination changes during the day, so the calculation runs twice: the second time with the declination
  // at the instant that the first time found.
  for (let round = 0; round < 2; round += 1) {
    const { declination, equationOfTime } = sunAt((daysSince2000 + minutes / MINUTES_A_DAY) / 36_525);
    const cosine = (sin(altitude) - sin(latitude) * sin(declination)) / (cos(latitude) * cos(declination));
    const hourAngle = degrees(Math.acos(Math.min(1, Math.max(-1, cosine))));
    const noon = MINUTES_A_DAY / 2 - 4 * longitude - equationOfTime;
    minutes = noon + (way === 'sets' ? 4 : -4) * hourAngle;
  }
  return midnight.add({ seconds: Math.round(minutes * 60) });
}

/** Declination of the sun in degrees, and the equation of time in minutes; `century`: Julian centuries since 2000. */
function sunAt(century: number): { declination: number; equationOfTime: number } {
  const longitude = 280.46646 + century * (36_000.76983 + century * 0.0003032);
  const anomaly = 357.52911 + century * (35_999.05029 - century * 0.0001537);
  const eccentricity = 0.016708634 - century * (0.000042037 + century * 0.0000001267);
  const centre =
    sin(anomaly) * (1.914602 - century * (0.004817 + century * 0.000014)) +
    sin(2 * anomaly) * (0.019993 - century * 0.000101) +
    sin(3 * anomaly) * 0.000289;
  const node = 125.04 - 1934.136 * century;
  const apparent = longitude + centre - 0.00569 - 0.00478 * sin(node);
  const seconds = 21.448 - century * (46.815 + century * (0.00059 - century * 0.001813));
  const obliquity = 23 + (26 + seconds / 60) / 60 + 0.00256 * cos(node);
  const y = Math.tan(radians(obliquity / 2)) ** 2;
  const equationOfTime =
    4 *
    degrees(
      y * sin(2 * longitude) -
        2 * eccentricity * sin(anomaly) +
        4 * eccentricity * y * sin(anomaly) * cos(2 * longitude) -
        0.5 * y * y * sin(4 * longitude) -
        1.25 * eccentricity * eccentricity * sin(2 * anomaly),
    );
  return { declination: degrees(Math.asin(sin(obliquity) * sin(apparent))), equationOfTime };
}

function sin(angle: number): number {
  return Math.sin(radians(angle));
}

function cos(angle: number): number {
  return Math.cos(radians(angle));
}

function radians(angle: number): number {
  return (angle * Math.PI) / 180;
}

function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}
