/** Log messages about the sandbox, for the site's owner or the server's operator. */
export const messages = {
  lineCut: ' … (line cut)',
  sandboxed: 'sites and builds run in a sandbox, each with its own users, files, processes and network',
  plain: (account: number | undefined, reason: string): string =>
    `sites and builds run as plain processes of ${account === undefined ? 'this server’s user' : `the user ${account}`} and can read what it can read (${reason})`,
  readOnly: (description: string, failure: string): string =>
    `${description}; a site’s own folder is read-only, for it can’t be given a layer to write to (${failure})`,
  intoRelease: (description: string, failure?: string): string =>
    `${description}; what a site writes into its own folder stays in the release${failure === undefined ? '' : ` (${failure})`}`,
  noAccount: (reason: string, account: number, failure: string): string =>
    `${reason}; they can’t be started under the user ${account}: ${failure}`,
  refusing: (host: string, reason: string): string =>
    `no site is built or run: HOST is "${host}", which others can reach, and ${reason}; APPS_ISOLATION=none would run them as plain processes`,
  keepsGroups: (groups: readonly number[]): string =>
    `sites and builds have this server’s other groups (${groups.join(', ')}), which only root could take from them: start the server without (docs/security.md)`,
  hidesSystem: (own: readonly string[]): string =>
    `A sandbox has to hide ${own.join(', ')}, and programs do not run where one of these is hidden; choose folders outside of the system’s.`,
  noSandbox: (reason: string): string =>
    `APPS_ISOLATION has "sandbox", which does not work on this machine: ${reason}.`,
  untried: (why: string): string =>
    `what isolates sites and builds could not be tried out and is taken to work: ${why}; if sites do not start, restart this server`,
  noRoom: 'the disk of DATA_DIR is full',
  tooSlow: (seconds: number): string => `a trial took longer than ${seconds} s`,
  missing: (packages: readonly string[]): string =>
    `it lacks what \`apt-get install ${packages.join(' ')}\` installs`,
  sandboxFails: (reason: string): string => `the sandbox does not work here: ${reason}`,
  notWanted: 'APPS_ISOLATION is "none"',
} as const;
