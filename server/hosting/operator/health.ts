import type { Words } from '../../kernel/languages.ts';
import { messages } from './messages.ts';

/** Facts from which the health of the platform follows. Ages are in seconds. */
export interface HealthFacts {
  /** Time for which the lease is still held; negative if no server runs the sites. Null: no server ever did. */
  leaseSeconds: number | null;
  sitesDown: number;
  /** Time since the first of these sites went down. */
  downSeconds: number;
  deploymentsWaiting: number;
  deploymentSeconds: number;
  mailsDue: number;
  mailSeconds: number;
  diskFree: number;
  diskSize: number;
}

export const FINDING_CODES = [
  'unhosted',
  'sites_down',
  'deployments_wait',
  'mail_waits',
  'disk_full',
] as const;

/** Problem that needs the operator. */
export interface Finding {
  code: (typeof FINDING_CODES)[number];
  words: Words;
}

const LONG_QUEUE_SECONDS = 600;
const LONG_MAIL_SECONDS = 900;
const LEAST_FREE = 0.1;

/** All that needs the operator, the most urgent first; empty if all is well. */
export function findingsOf(facts: HealthFacts): Finding[] {
  const free = facts.diskSize > 0 ? facts.diskFree / facts.diskSize : 1;
  const all: (Finding | false)[] = [
    facts.leaseSeconds !== null &&
      facts.leaseSeconds < 0 && {
        code: 'unhosted',
        words: messages.unhosted(minutesOf(-facts.leaseSeconds)),
      },
    facts.sitesDown > 0 && {
      code: 'sites_down',
      words: messages.sitesDown(facts.sitesDown, minutesOf(facts.downSeconds)),
    },
    facts.deploymentsWaiting > 0 &&
      facts.deploymentSeconds > LONG_QUEUE_SECONDS && {
        code: 'deployments_wait',
        words: messages.deploymentsWait(minutesOf(facts.deploymentSeconds)),
      },
    facts.mailsDue > 0 &&
      facts.mailSeconds > LONG_MAIL_SECONDS && {
        code: 'mail_waits',
        words: messages.mailWaits(facts.mailsDue, minutesOf(facts.mailSeconds)),
      },
    free < LEAST_FREE && { code: 'disk_full', words: messages.diskFull(Math.floor(free * 100)) },
  ];
  return all.filter((one) => one !== false);
}

function minutesOf(seconds: number): number {
  return Math.max(1, Math.round(seconds / 60));
}
