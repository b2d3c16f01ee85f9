import type { CheckProblem } from './check.ts';

/** What the domain routes say, in English. What any API says is in kernel/http/messages.ts. */
export const messages = {
  noSuchDomain: 'The application has no such domain.',
  tooMany: (most: number) => `The application has ${most} domains, which is as many as one may have.`,
  hostname: {
    form: 'must be the name of a host, such as www.example.com, without a protocol, a port or a path.',
    private: 'must be a name of the public internet.',
    ours: 'must be a domain of your own; names of this platform are given out as subdomains.',
  },
  unknownHost: 'This host is none of ours.',
} as const;

/** Why a domain is not proved yet, and what to do about it. */
export const checkProblems: Readonly<Record<CheckProblem, string>> = {
  record_missing:
    'Neither record was found. Set one of them at your DNS provider; it may take some minutes until it is seen.',
  record_wrong: 'A record was found, but with another value. Compare it with the ones shown here.',
  dns_unavailable: 'The name servers of this domain did not answer. The check is repeated by itself.',
  taken: 'Another application has proved this domain, and its record still stands. Remove that record first.',
};
