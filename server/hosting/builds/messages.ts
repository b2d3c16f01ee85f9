import { mebibytes } from '../logs/mebibytes.ts';

/** Messages in a build's log, for the site's owner. */
export const messages = {
  node: (version: string): string => `Node.js ${version}`,
  submodule: (path: string, hash: string, address: string): string =>
    `Submodule ${path}: commit ${hash.slice(0, 12)} from ${address}`,
  submoduleUnknown: (path: string): string =>
    `Submodule ${path}: no address in .gitmodules, so its folder stays empty`,
  lfsPointers: (paths: readonly string[]): string =>
    `Git LFS: the content of ${paths.length} ${paths.length === 1 ? 'file' : 'files'} was not fetched: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', …' : ''}. Commit such files without Git LFS.`,
  cacheCleared: (how: string): string => `The build cache ${how}, so it was emptied.`,
  cachesRestored: (folders: readonly string[]): string =>
    `Restored from the build cache: ${folders.join(', ')}.`,
  cachesSaved: (folders: readonly string[]): string => `Saved for the next build: ${folders.join(', ')}.`,
  cachesNotSaved: (how: string): string => `The build cache was not updated: copying to it ${how}.`,
  cachesTooLarge: (how: string): string => `The next build starts without a cache: the cache ${how}.`,
  memory: (peak: number, limit: number): string =>
    `Peak memory: ${peak} of ${limit} MiB, including cached files.`,
  packagesCached: 'Reused the packages of an earlier build: nothing that they depend on has changed.',
  dockerfile: (file: string): string =>
    `Building an image from ${file}. The application’s variables are set when it runs, not while it is built.`,
  pulling: (image: string): string => `Pulling ${image}`,
  layer: (id: string, bytes: number | undefined): string =>
    `layer ${id}${bytes === undefined ? '' : `: ${mebibytes(bytes)} MiB`}`,
  layerPresent: (id: string): string => `layer ${id}: already here`,
  downloaded: (bytes: number, of: number): string => `downloaded ${mebibytes(bytes)} of ${mebibytes(of)} MiB`,
  pulled: (bytes: number): string => `The image has ${mebibytes(bytes)} MiB.`,
  /** Log line with the version of a program; `output` is the program's own output. */
  program: (name: string, output: string): string => `${name}: ${output}`,
  otherVersion: (language: string, version: string, by: string, has: string): string =>
    `${by} asks for ${language} ${version}; this machine has ${has}, which is used instead.`,
} as const;
