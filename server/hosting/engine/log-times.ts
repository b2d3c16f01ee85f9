// Times of the lines in a container's log, as its engine reports them.

const MILLISECOND = 1e6;
/**
 * Number of lines of the same second that get times a millisecond apart; the lines after them get times a nanosecond
 * apart.
 */
const MILLISECOND_STEPS = 999;

/**
 * Returns a function that gives the time of each log line in order, to the nanosecond. Podman reports only the second
 * of a line; the nanoseconds are then computed from the line's position within that second. Readers that begin at the
 * start of the second get the same times.
 */
export function createLineTimes(): (reported: string) => string {
  let second = '';
  let position = 0;
  return (reported) => {
    if (reported.includes('.')) return reported;
    // The engine reports an unfinished line only once it is complete, so the time of a line may be earlier than that of
    // the line before.
    const isLater = second === '' || Date.parse(reported) > Date.parse(second);
    position = isLater ? 0 : position + 1;
    if (isLater) second = reported;
    const beyond = Math.max(0, position - MILLISECOND_STEPS);
    const nanoseconds = (position - beyond) * MILLISECOND + beyond;
    return new Date(second).toISOString().replace(/\d+Z$/, `${String(nanoseconds).padStart(9, '0')}Z`);
  };
}

/** True if the time `at` (ISO 8601) is before the time `since` (seconds since 1970, with a fraction). */
export function isEarlier(at: string, since: string): boolean {
  const [seconds = '', fraction = ''] = since.split('.');
  const second = Math.floor(Date.parse(at) / 1_000);
  if (second !== Number(seconds)) return second < Number(seconds);
  const nanoseconds = (text = '') => text.replace('Z', '').padEnd(9, '0');
  return nanoseconds(at.split('.')[1]) < nanoseconds(fraction);
}
