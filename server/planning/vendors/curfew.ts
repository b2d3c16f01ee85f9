/** Hours before this one belong to the night of the day before: a party of the 15th goes on at 01:00 of the 16th. */
const NIGHT_ENDS = 6;

/**
 * The instant from which an event has to be quiet: the first `HH:MM` of its night. An event that begins at 01:00
 * belongs to the night before, and a curfew of 01:00 to the night after.
 */
export function curfewOf(start: Temporal.Instant, curfew: string, zone: string): Temporal.Instant {
  const begins = start.toZonedDateTimeISO(zone);
  const evening =
    begins.hour < NIGHT_ENDS ? begins.toPlainDate().subtract({ days: 1 }) : begins.toPlainDate();
  const time = Temporal.PlainTime.from(curfew);
  const day = time.hour < NIGHT_ENDS ? evening.add({ days: 1 }) : evening;
  return day.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant();
}
