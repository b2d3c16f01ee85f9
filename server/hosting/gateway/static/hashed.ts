/**
 * True if a file's name contains a content hash, as bundlers write it: such a file never changes under its name.
 * Doubtful names count as not hashed: a file that browsers cache by mistake can't be recalled, while a missed hash only
 * costs a 304.
 */
export function hasContentHash(segments: readonly string[]): boolean {
  const name = segments.at(-1) ?? '';
  const folders = segments.slice(0, -1);
  if (isBundlersOwn(folders)) return true;
  const ending = /(?:\.lean)?\.([a-z0-9]+)(?:\.map)?$/.exec(name);
  if (!ending) return false;
  const stem = name.slice(0, ending.index);
  const kind = ending[1] as string;
  const isCode = CODE.has(kind);
  if (!isCode && !MEDIA.has(kind)) return false;
  if (hasHexHash(stem, isCode ? 8 : 16)) return true;
  // esbuild, which Angular uses, writes a hash of the content into file names like this
  // (https://esbuild.github.io/api/#chunk-names).
  if (isCode && /(?:^|[-.])(?=[A-Z2-7]*[2-7])(?=[A-Z2-7]*[A-Z])[A-Z2-7]{8}$/.test(stem)) return true;
  return folders.includes('assets') && hasMixedHash(stem);
}

/** True for folders in which a framework writes only names with a hash, under any base path. */
function isBundlersOwn(folders: readonly string[]): boolean {
  const path = `/${folders.join('/')}/`;
  return (
    /\/_next\/static\/|\/_astro\/|\/_app\/immutable\//.test(path) ||
    // Files in `/_nuxt/` have hashes in their names, but not those in `/_nuxt/builds/`, where Nuxt writes the newest
    // build's id.
    (path.includes('/_nuxt/') && !path.endsWith('/_nuxt/builds/'))
  );
}

const CODE = new Set('js mjs cjs css wasm woff woff2 ttf otf eot'.split(' '));
const MEDIA = new Set('svg png jpg jpeg gif webp avif ico mp4 webm mp3 ogg'.split(' '));

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/**
 * Hexadecimal hashes in file names, as webpack, Parcel, Gatsby and Hugo write them. A hash must have both digits and
 * letters: digits alone may be a date, letters alone a word.
 */
function hasHexHash(stem: string, least: number): boolean {
  if (UUID.test(stem)) return false;
  return stem
    .split(/[-._~]/)
    .some(
      (part) =>
        part.length >= least && /^[0-9a-f]{8,64}$/.test(part) && /\d/.test(part) && /[a-f]/.test(part),
    );
}

/**
 * Hashes of Vite and Rollup: eight base64url characters at the end.
 * https://rollupjs.org/configuration-options/#output-entryfilenames
 */
function hasMixedHash(stem: string): boolean {
  const hash = /(?:^|[-.])([A-Za-z0-9_-]{8})$/.exec(stem)?.[1] ?? '';
  return /[A-Z]/.test(hash) && /[a-z]/.test(hash) && !hash.split(/[-_]/).every(isLikeWord);
}

/** True for words that people use in names of files, such as `HomePage`, `Chapter1`, `v2`. */
function isLikeWord(part: string): boolean {
  return /^[A-Z]?[a-z]*(?:[A-Z][a-z]+)*\d*$/.test(part);
}
