/**
 * Makes the path of a URL decodable: if an escape gives no text (`%ff`, `%zz`), its percent sign is itself escaped.
 * Such a URL then passes the hooks and the log like any other and finds no route. Otherwise the framework would refuse
 * the URL before any hook runs.
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
