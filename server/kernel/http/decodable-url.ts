/**
 * An address whose path can be decoded: an escape that stands for no text (`%ff`, `%zz`) is taken letter by letter. So such an
 * address goes the way of any other, through the hooks and the log, and finds nothing, where the framework would refuse it before
 * everything else.
 */
export function decodableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const read = path.replace(/(?:%[0-9a-f]{2})+|%/gi, (escapes) =>
    isText(escapes) ? escapes : escapes.replaceAll('%', '%25'),
  );
  return read + url.slice(path.length);
}

function isText(escapes: string): boolean {
  try {
    decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
}
