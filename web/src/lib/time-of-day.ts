/**
 * Reads a time of day as people type it, `1930`, `7:30`, `19.30` or `7`, as `07:30`; undefined if the text is not a
 * time.
 */
export function typedTime(typed: string): string | undefined {
  const [, hours = '', minutes = '00'] = /^\s*(\d{1,2}?)\s*[:.\s]?\s*(\d{2})?\s*$/.exec(typed) ?? [];
  const isTime = hours !== '' && Number(hours) < 24 && Number(minutes) < 60;
  return isTime ? `${hours.padStart(2, '0')}:${minutes}` : undefined;
}
