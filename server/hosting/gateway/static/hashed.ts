/**
 * Whether a file's name tells its content by a hash, as bundlers write it: such a file never changes under its name. What is only
 * perhaps a hash is none, for a file that is wrongly kept by browsers can't be called back; a hash that is missed costs a 304.
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
  // esbuild's, and so Angular's: https://esbuild.github.io/api/#chunk-names
  if (isCode && /(?:^|[-.])(?=[A-Z2-7]*[2-7])(?=[A-Z2-7]*[A-Z])[A-Z2-7]{8}$/.test(stem)) return true;
  return folders.includes('assets') && hasMixedHash(stem);
}

/** Folders in which a framework writes nothing but hashed names, wherever the site's base is. */
function isBundlersOwn(folders: readonly string[]): boolean {
  const path = `/${folders.join('/')}/`;
  return (
    /\/_next\/static\/|\/_astro\/|\/_app\/immutable\//.test(path) ||
    // Nuxt writes its newest build's id beside them.
    (path.includes('/_nuxt/') && !path.endsWith('/_nuxt/builds/'))
  );
}

const CODE = new Set('js mjs cjs css wasm woff woff2 ttf otf eot'.split(' '));
const MEDIA = new Set('svg png jpg jpeg gif webp avif ico mp4 webm mp3 ogg'.split(' '));

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** webpack's, Parcel's, Gatsby's, Hugo's: a part of hexadecimal digits. Of digits alone it may be a date, of letters alone a word. */
function hasHexHash(stem: string, least: number): boolean {
  if (UUID.test(stem)) return false;
  return stem
    .split(/[-._~]/)
    .some(
      (part) =>
        part.length >= least && /^[0-9a-f]{8,64}$/.test(part) && /\d/.test(part) && /[a-f]/.test(part),
    );
}

/** Vite's and Rollup's: eight characters of base64url at the end. https://rollupjs.org/configuration-options/#output-entryfilenames */
function hasMixedHash(stem: string): boolean {
  const hash = /(?:^|[-.])([A-Za-z0-9_-]{8})$/.exec(stem)?.[1] ?? '';
  return /[A-Z]/.test(hash) && /[a-z]/.test(hash) && !hash.split(/[-_]/).every(isLikeWord);
}

/** `HomePage`, `Chapter1`, `v2`: as people name files. */
function isLikeWord(part: string): boolean {
  return /^[A-Z]?[a-z]*(?:[A-Z][a-z]+)*\d*$/.test(part);
}
