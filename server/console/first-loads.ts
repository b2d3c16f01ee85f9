import type { Language } from '../kernel/languages.ts';

/** Fonts, files and data that the pages of the console need first, as the build lists them (web/first-loads.ts). */
export interface FirstLoads {
  /** Files of the font by language. */
  fonts: Readonly<Record<Language, readonly string[]>>;
  pages: readonly FirstLoad[];
}

export const NOTHING: FirstLoads = { fonts: { he: [], ar: [], en: [] }, pages: [] };

/** Files and data that a page of the console needs first. */
export interface FirstLoad {
  /** Path of the page; `:id` stands for an identifier. */
  path: string;
  /** Scripts of the page, by their names in the folder of the built console. */
  files: readonly string[];
  /** Addresses of the API that the page requests first; `:id` stands for the identifier in the page's path. */
  data: readonly string[];
}

interface Visit {
  path: string;
  /** True if the address has parameters, which change what the page reads. */
  hasQuery: boolean;
  /** True if the browser sent a session cookie: without a session the page reads nothing. */
  hasSession: boolean;
}

/**
 * Tags by which the browser loads the fonts of a language before a text needs them. A text that is first drawn in
 * another font moves what is below it.
 */
export const fontTags = (fonts: readonly string[], assets: string): string =>
  fonts
    .map((font) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${assets}${font}">`)
    .join('');

/** Identifier in the requested path. Only text of this form is copied from the path into the page's HTML. */
const ID = /^[0-9a-f-]{36}$/;

/**
 * Tags for the document's head by which the browser loads what the page needs first. Data is named before the console's
 * own scripts, since the server needs time for it; the scripts of the page after them, since the console runs first.
 */
export function preloadTags(
  loads: readonly FirstLoad[],
  { path, hasQuery, hasSession }: Visit,
  assets: string,
): { data: string; scripts: string } {
  const segments = path.split('/');
  const id = segments.find((segment) => ID.test(segment)) ?? '';
  const pattern = segments.map((segment) => (ID.test(segment) ? ':id' : segment)).join('/');
  const load = loads.find((one) => one.path === pattern);
  if (!load) return { data: '', scripts: '' };
  const scripts = load.files.map((file) => `<link rel="modulepreload" crossorigin href="${assets}${file}">`);
  const data =
    hasSession && !hasQuery
      ? load.data.map((address) => {
          const href = address.replace(':id', id).replaceAll('&', '&amp;');
          return `<link rel="preload" as="fetch" crossorigin href="${href}">`;
        })
      : [];
  return { data: data.join(''), scripts: scripts.join('') };
}
