// When a container wrote what it did, as its engine tells it.

const MILLISECOND = 1e6;
/** Of one second, those whose times are a millisecond apart. */
const APART = 999;

/**
 * Gives the time of each line, one after another, to the nanosecond. Podman tells the second alone: then the rest is the line's place
 * among those of its second, which is the same again for whoever reads on from the beginning of that second.
 */
export function createTimes(): (told: string) => string {
  let second = '';
  let place = 0;
  return (told) => {
    if (told.includes('.')) return told;
    // One that had no end is told of last.
    const isLater = second === '' || Date.parse(told) > Date.parse(second);
    place = isLater ? 0 : place + 1;
    if (isLater) second = told;
    const beyond = Math.max(0, place - APART);
    const nanoseconds = (place - beyond) * MILLISECOND + beyond;
    return new Date(second).toISOString().replace(/\d+Z$/, `${String(nanoseconds).padStart(9, '0')}Z`);
  };
}

/** Whether a time is before so many seconds since 1970, with their fraction. */
export function isEarlier(at: string, since: string): boolean {
  const [seconds = '', fraction = ''] = since.split('.');
  const second = Math.floor(Date.parse(at) / 1_000);
  if (second !== Number(seconds)) return second < Number(seconds);
  const nanoseconds = (text = '') => text.replace('Z', '').padEnd(9, '0');
  return nanoseconds(at.split('.')[1]) < nanoseconds(fraction);
}
