export interface HijriDate {
  year: number;
  /** Month of the Islamic year, from 1 (Muharram) to 12 (Dhu al-Hijja). */
  month: number;
  day: number;
}

/**
 * Month lengths of the years 1451 to 1500 AH. Each year has twelve bits, Muharram's the highest; a set bit means 30
 * days, else 29. Published by KACST, which maintains the Umm al-Qura calendar. Node's own `islamic-umalqura` ends with
 * 1450 and uses an arithmetic cycle after that.
 */
const YEARS = [
  0xd2a, 0xe95, 0x72a, 0x755, 0x35a, 0x95d, 0x49b, 0xa4d, 0xd26, 0xd53, 0x5aa, 0xaad, 0x4b6, 0xa57, 0x527,
  0xa95, 0xb4a, 0xb55, 0x36c, 0x9ae, 0x4b6, 0xa96, 0xb4a, 0xda5, 0x5d2, 0x5d9, 0x2dc, 0x96d, 0x4ad, 0x655,
  0x6d2, 0xb69, 0x374, 0x9b6, 0x4d7, 0x2ab, 0x54b, 0x6a5, 0x752, 0xb69, 0x56b, 0x2ad, 0x94d, 0xc95, 0xd4a,
  0xea5, 0x6ca, 0xad5, 0x556, 0xc97,
] as const;

const FIRST_YEAR = 1451;
const FIRST_DAY = Temporal.PlainDate.from('2029-05-14');
const MONTHS = 12;

/** Umm al-Qura (Islamic) date of a day's daylight. The date began at the sunset before. */
export function hijriDateOf(day: Temporal.PlainDate): HijriDate {
  let left = FIRST_DAY.until(day).days;
  if (left >= 0) {
    for (const [index, year] of YEARS.entries()) {
      for (let month = 1; month <= MONTHS; month += 1) {
        const length = 29 + ((year >> (MONTHS - month)) & 1);
        if (left < length) return { year: FIRST_YEAR + index, month, day: left + 1 };
        left -= length;
      }
    }
  }
  const { year, month, day: ofMonth } = day.withCalendar('islamic-umalqura');
  return { year, month, day: ofMonth };
}
