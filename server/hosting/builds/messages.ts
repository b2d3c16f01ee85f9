/** Messages in a build's log, for the site's owner. */
export const messages = {
  node: (version: string): string => `Node.js ${version}`,
  submodule: (path: string, hash: string, address: string): string =>
    `submodule ${path}: commit ${hash.slice(0, 12)} of ${address}`,
  submoduleUnknown: (path: string): string =>
    `${path} is a submodule that .gitmodules gives no address for: its folder is empty`,
  lfsPointers: (paths: readonly string[]): string =>
    `Git LFS: ${paths.length} ${paths.length === 1 ? 'file is a pointer whose content is' : 'files are pointers whose contents are'} not fetched: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', …' : ''}. Commit such files without Git LFS.`,
  cacheCleared: (how: string): string => `The build cache ${how}; it was emptied.`,
  cachesRestored: (folders: readonly string[]): string =>
    `Taken up from a build before: ${folders.join(', ')}.`,
  cachesSaved: (folders: readonly string[]): string => `Kept for the next build: ${folders.join(', ')}.`,
  cachesNotSaved: (how: string): string => `Nothing new is kept for the next build: copying it ${how}.`,
  cachesTooLarge: (how: string): string => `The next build begins with nothing kept: it ${how}.`,
  memory: (peak: number, limit: number): string =>
    `Memory: ${peak} of ${limit} MiB at most, files that it read and wrote included.`,
  packagesCached: 'As a build before installed them: nothing that decides about them has changed since.',
  dockerfile: (file: string): string =>
    `An image by ${file}: the application’s variables are told to what runs of it, and not to its build.`,
  /** Version line of a program; `output` is the program's own output. */
  program: (name: string, output: string): string => `${name}: ${output}`,
  otherVersion: (language: string, version: string, by: string, has: string): string =>
    `${by} asks for ${language} ${version}; this machine has ${has}, which is used.`,
} as const;
