/**
 * Number of days from Easter Sunday of the day's year to the day; negative before Easter. Gregorian reckoning, as in
 * the Western churches. Anonymous Gregorian algorithm, Nature 13, 1876; in Meeus, Astronomical Algorithms.
 */
export function daysAfterWesternEaster(day: Temporal.PlainDate): number {
  const { year } = day;
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const march = epact + weekday - 7 * late + 22;
  return daysAfterMarch(day, march);
}

/** Like `daysAfterWesternEaster`, by the Julian reckoning of the Eastern churches. Meeus, Astronomical Algorithms. */
export function daysAfterEasternEaster(day: Temporal.PlainDate): number {
  const { year } = day;
  const epact = (19 * (year % 19) + 15) % 30;
  const weekday = (2 * (year % 4) + 4 * (year % 7) - epact + 34) % 7;
  const julianMarch = epact + weekday + 22;
  const behind = Math.floor(year / 100) - Math.floor(year / 400) - 2;
  return daysAfterMarch(day, julianMarch + behind);
}

/** Number of days from Easter to the day. `ofMarch`: Easter as a day of March; above 31 it lies in April or May. */
function daysAfterMarch(day: Temporal.PlainDate, ofMarch: number): number {
  const easter = Temporal.PlainDate.from({ year: day.year, month: 3, day: 1 }).add({ days: ofMarch - 1 });
  return easter.until(day).days;
}
