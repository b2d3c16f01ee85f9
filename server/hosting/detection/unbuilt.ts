// A page that a build tool fills in is a template: served directly, visitors would see placeholders or an empty page.

/** Maximum length of the part of a page that is quoted as proof that it is a template, in UTF-16 code units. */
const LONGEST_MARK = 80;

const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;
const SCRIPT_BODIES = /(<script\b[^<>]*>)[\s\S]*?(?:<\/script\b|$)/gi;
const PLACEHOLDER = /<%|%[A-Z]{1,40}_[A-Z0-9_]{1,40}%|%sveltekit\.[a-z]{1,20}%/;
const SCRIPTS = /<script\b[^<>]*>/gi;
const IS_MODULE = /\stype\s*=\s*["']?module\b/i;
const SOURCE_PATH = /\ssrc\s*=\s*["']?((?:\.?\/)?src\/[^"'\s>]+)/i;

/**
 * Sign in an HTML page that a build must still fill it in; undefined without one. Comments and texts inside scripts
 * (client-side templates) do not count.
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
