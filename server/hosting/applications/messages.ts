/** What the application API says, in English. What any API says is in kernel/http/messages.ts. */
export const messages = {
  notYours: 'This API key does not belong to the owner of the application.',
  noSuchApplication: 'There is no such application.',
  subdomainTaken: 'This subdomain is taken; choose another.',
  tooManyApplications: (most: number) =>
    `You have ${most} applications, which is as many as one user may have.`,
  name: 'must be 1 to 100 characters of text on one line.',
  subdomain: 'must be a DNS label: 1 to 63 of a-z, 0-9 and hyphens, neither first nor last a hyphen.',
  subdomainReserved: 'is reserved; choose another.',
  repository: {
    form: 'must be the address of a git repository, such as https://host/owner/name.git or git@host:owner/name.git.',
    protocol: (protocols: readonly string[]) => `must use one of these protocols: ${protocols.join(', ')}.`,
    password: 'must not carry a password with ssh; use a deploy key.',
    private: 'must not be on a host of a private or local address.',
    unresolved: 'is on a host that can’t be found.',
  },
  branch: 'must be the name of a git branch.',
  root: 'must be a folder inside the repository, such as packages/site.',
  command: 'must be a command on one line, of at most 2,000 characters.',
  healthPath:
    'must be a path that starts with one /, such as /healthz, without spaces, \\, # and anything but ASCII.',
  variableName: 'is no name for a variable: letters, digits and _, not starting with a digit, at most 255.',
  variableValue: (most: number) => `must be text of at most ${most / 1024} KiB, or null to delete it.`,
  variableCharacters: 'must not hold a NUL character, which no environment can carry.',
  tooManyVariables: (most: number) => `An application has at most ${most} variables.`,
  ownerUnverified: 'Verify your mail address first: deployments are for verified users.',
  hookUnsigned: 'The signature of this delivery is missing or wrong.',
  hookBody: 'The delivery can’t be read; send it as application/json.',
} as const;
