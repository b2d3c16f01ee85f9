// A page that a build tool fills in is a template: served as it is, visitors see the placeholders or an empty page.

/** Quoted in a failure, in UTF-16 units. */
const LONGEST_MARK = 80;

const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;
const SCRIPT_BODIES = /(<script\b[^<>]*>)[\s\S]*?(?:<\/script\b|$)/gi;
const PLACEHOLDER = /<%|%[A-Z]{1,40}_[A-Z0-9_]{1,40}%|%sveltekit\.[a-z]{1,20}%/;
const SCRIPTS = /<script\b[^<>]*>/gi;
const IS_MODULE = /\stype\s*=\s*["']?module\b/i;
const SOURCE_PATH = /\ssrc\s*=\s*["']?((?:\.?\/)?src\/[^"'\s>]+)/i;

/**
 * The part of an HTML page that shows that a build has still to fill it in; undefined where there is none. Comments and texts
 * inside scripts (templates of a browser's own) do not count.
 */
export function templateMark(page: string): string | undefined {
  const bare = page.replace(COMMENTS, '').replace(SCRIPT_BODIES, '$1');
  const [placeholder] = PLACEHOLDER.exec(bare) ?? [];
  if (placeholder !== undefined) return placeholder;
  for (const [tag] of bare.matchAll(SCRIPTS)) {
    const [, path] = (IS_MODULE.test(tag) && SOURCE_PATH.exec(tag)) || [];
    if (path !== undefined) return path.slice(0, LONGEST_MARK);
  }
  return undefined;
}
