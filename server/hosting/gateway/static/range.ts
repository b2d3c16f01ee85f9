export interface Range {
  start: number;
  /** Position in the file of the range's last byte; that byte is part of the range. */
  end: number;
}

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110, 14.2). `all`: the whole file is sent (no range, another
 * unit, or several ranges). `none`: the range lies outside the file (416).
 */
export function parseRange(header: string | undefined, size: number): Range | 'all' | 'none' {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return 'all';
  if (from === '') {
    const last = Number(to);
    return last === 0 || size === 0 ? 'none' : { start: Math.max(0, size - last), end: size - 1 };
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return 'all';
  return start >= size ? 'none' : { start, end };
}
