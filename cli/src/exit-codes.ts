/** Exit codes of the command, as docs/command-line.md lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  deploymentFailed: 5,
  unreachable: 6,
  interrupted: 130,
} as const;
