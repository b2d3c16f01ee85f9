import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOf, type HealthFacts } from './health.ts';

const WELL: HealthFacts = {
  leaseSeconds: 8,
  sitesDown: 0,
  downSeconds: 0,
  deploymentsWaiting: 0,
  deploymentSeconds: 0,
  mailsDue: 0,
  mailSeconds: 0,
  diskFree: 50,
  diskSize: 100,
};

for (const [facts, sentences] of [
  [{}, []],
  [{ leaseSeconds: null }, []],
  [{ leaseSeconds: -130 }, ['No server has run the sites for 2 minutes.']],
  [{ sitesDown: 1, downSeconds: 10 }, ['1 site is down, the first for 1 minute.']],
  [{ sitesDown: 2, downSeconds: 600 }, ['2 sites are down, the first for 10 minutes.']],
  [{ deploymentsWaiting: 3, deploymentSeconds: 500 }, []],
  [
    { deploymentsWaiting: 3, deploymentSeconds: 1_200 },
    ['A deployment has waited for its turn for 20 minutes.'],
  ],
  [{ mailsDue: 5, mailSeconds: 600 }, []],
  [
    { mailsDue: 5, mailSeconds: 2_400 },
    ['5 mails have waited for 40 minutes: the SMTP server does not take them.'],
  ],
  [{ diskFree: 9 }, ['Only 9 % of the disk is free.']],
  [
    { sitesDown: 1, downSeconds: 60, diskFree: 1 },
    ['1 site is down, the first for 1 minute.', 'Only 1 % of the disk is free.'],
  ],
] as const) {
  test(`of ${JSON.stringify(facts)} the operator reads: ${sentences.join(' ') || 'nothing'}`, () => {
    assert.deepEqual(
      findingsOf({ ...WELL, ...facts }).map(({ words }) => words.en),
      sentences,
    );
  });
}
