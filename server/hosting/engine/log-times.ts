// Times of the lines in a container's log, as its engine reports them.

const MILLISECOND = 1e6;
/** Number of lines within a second whose times are a millisecond apart; further lines are a nanosecond apart. */
const MILLISECOND_STEPS = 999;

/**
 * Returns a function that gives the time of each line in order, to the nanosecond. Podman reports only the second: the
 * rest is then the line's position within its second, which is the same for every reader that starts at the beginning
 * of that second.
 */
export function createLineTimes(): (reported: string) => string {
  let second = '';
  let position = 0;
  return (reported) => {
    if (reported.includes('.')) return reported;
    // A line may have an earlier time than the line before it: an unfinished line is reported only once it is complete.
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
