/**
 * Makes the path of a URL decodable: the percent sign of an escape that is no text (`%ff`, `%zz`) is itself escaped.
 * Such a URL then passes the hooks and the log like any other and finds no route; the framework would refuse it before
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
