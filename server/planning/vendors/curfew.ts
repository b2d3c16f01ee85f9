/**
 * Hour of the day at which a night ends. Earlier hours belong to the night before: 01:00 on the 16th is still the party
 * of the 15th.
 */
const NIGHT_ENDS = 6;

/**
 * Instant from which an event has to be quiet: `curfew` (`HH:MM`) in the event's night. An event that begins at 01:00
 * belongs to the night before; a curfew of 01:00 is after midnight.
 */
export function curfewOf(start: Temporal.Instant, curfew: string, zone: string): Temporal.Instant {
  const begins = start.toZonedDateTimeISO(zone);
  const evening =
    begins.hour < NIGHT_ENDS ? begins.toPlainDate().subtract({ days: 1 }) : begins.toPlainDate();
  const time = Temporal.PlainTime.from(curfew);
  const day = time.hour < NIGHT_ENDS ? evening.add({ days: 1 }) : evening;
  return day.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant();
}
