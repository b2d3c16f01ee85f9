/** What a runtime says in the logs of builds and sites, to whoever owns the site. */
export const messages = {
  nothingFound: (hasManifest: boolean, folders: readonly string[]): string =>
    'There is nothing here to build or start. Looked for: a start command of the application, a Procfile with a ' +
    `"web:" line, a package.json with a "start" or "build" script${hasManifest ? ' (it has neither)' : ''}, ` +
    `an index.html here or in ${folders.join(', ')}.`,
  noIndex: (folders: readonly string[]): string =>
    `The build ended well, but left no index.html in ${folders.map((folder) => folder || 'the root').join(', ')}.`,
  brokenManifest: (reason: string): string => `package.json can’t be read: ${reason}.`,
  noBun: 'The lockfile is bun’s; npm, pnpm and yarn are supported. Commit a lockfile of one of them.',
  noRoot: (root: string): string => `The repository has no folder "${root}".`,
  linkOutside: (path: string): string =>
    `The link "${path}" leads out of the site’s folder; a static site can’t have one.`,
  tooDeep:
    'The site’s folders are nested too deeply: a path in a static site may have up to 4,000 characters.',
  notSearchable: (code: string): string => `The site’s folder can’t be looked through: ${code}.`,

  exited: (code: number): string => `ended with exit code ${code}`,
  killed: (signal: string): string => `was ended by ${signal}`,
  cantRun: (reason: string): string => `can’t be run: ${reason}`,
  tooSlow: (seconds: number): string => `was ended: it took longer than ${seconds} s`,
  tooMuchMemory: (mebibytes: number): string => `was ended: it used more than ${mebibytes} MiB of memory`,
  tooManyProcesses: (most: number): string => `was ended: it started more than ${most} processes`,
  releaseExceeds: (how: string): string => `was ended: what it made ${how}`,
  homeExceeds: (how: string): string => `was ended: what it put into its home ${how}`,
  buildExceeds: (how: string): string => `What the build made ${how}.`,
  /** How something is over its limit; the sentence around it says what. */
  disk: {
    full: (mebibytes: number): string => `fills more than ${mebibytes} MiB of disk`,
    unmeasured: (reason: string): string => `can’t be measured: ${reason}`,
    closed: 'a folder in it can’t be looked into',
    endless: (seconds: number): string => `looking through it takes longer than ${seconds} s`,
    moving: 'it changes all the while it is looked through',
    unreadable: (reason: string): string => `the disk says “${reason}”`,
  },
  stopped: 'was stopped',
  commandFailed: (command: string, how: string): string => `\`${command}\` ${how}.`,
  outputCut: 'There is more output than is kept; the rest of it is left out.',
  lineCut: ' … (line cut)',
  cacheCleared: (how: string): string => `The build cache ${how}; it was emptied.`,

  sandboxed: 'sites and builds run in a bubblewrap sandbox, each with its own users, files and processes',
  notSandboxed: (reason: string): string =>
    `sites and builds run as plain processes of this server’s user and can read what it can read (${reason})`,
  noSandbox: (reason: string): string =>
    `APPS_ISOLATION has "sandbox", which does not work on this machine: ${reason}.`,
  bwrapMissing: 'bubblewrap is not installed',
  bwrapFails: (reason: string): string => `bubblewrap does not work here: ${reason}`,
  notWanted: 'APPS_ISOLATION is "none"',

  git: {
    noBranch: (branch: string): string => `The repository has no branch "${branch}".`,
    noAccess: {
      deployKey:
        'The repository could not be read: it does not exist, or the deploy key has no access to it.',
      noDeployKey:
        'The repository could not be read: it does not exist, or is private. The application has no deploy key; ' +
        'make one and allow it to read the repository.',
      credentials:
        'The repository could not be read: it does not exist, or the name and password in its address give no access to it.',
      noCredentials:
        'The repository could not be read: it does not exist, or is private. Put a token into its address, or use ' +
        'ssh with a deploy key.',
      none: 'The repository could not be read: it does not exist.',
    },
    otherHostKey:
      'The repository’s host shows another key than before, so nothing was fetched: somebody may stand in between. ' +
      'If the host was given a new key, make a new deploy key; the host is then trusted anew.',
    unreachable: (reason: string): string => `The repository could not be fetched: ${reason}.`,
    tooSlow: (seconds: number): string => `The repository could not be fetched within ${seconds} s.`,
    tooLarge: (mebibytes: number): string => `The repository is larger than ${mebibytes} MiB.`,
    unmeasured: (how: string): string => `The repository ${how}.`,
    submodules: 'The repository has submodules; they are not fetched.',
  },
} as const;
