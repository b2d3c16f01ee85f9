import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOG } from '../../../test/support/runtime.ts';
import { createFairQueue } from '../../kernel/fair-queue.ts';
import { Cancelled } from '../model/deployment-rows.ts';
import { reason } from '../model/reasons/reason.ts';
import { type EnvironmentJob, EnvironmentJobs } from './environment-jobs.ts';

const key = (environmentId: string, applicationId = 'app') => ({
  environmentId,
  applicationId,
  ownerId: 'me',
});
const untilAborted = ({ signal }: EnvironmentJob) =>
  new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function newJobs() {
  const term = new AbortController();
  const ended: string[] = [];
  const jobs = new EnvironmentJobs({
    queue: createFairQueue(16),
    onEnd: (environmentId) => void ended.push(environmentId),
    term: term.signal,
    log: LOG,
  });
  return { jobs, term, ended };
}

test('an environment has one job at a time, and may have another once it ended', async () => {
  const { jobs, ended } = newJobs();
  const end = Promise.withResolvers<void>();
  const begun: number[] = [];
  const begin = (n: number) =>
    jobs.begin(key('one'), async () => {
      begun.push(n);
      await end.promise;
    });
  begin(1);
  begin(2);
  assert.deepEqual(begun, [1]);
  end.resolve();
  await jobs.settle();
  assert.deepEqual([ended, jobs.environments()], [['one'], []]);
  begin(3);
  await jobs.settle();
  assert.deepEqual(begun, [1, 3]);
});

test('a job that is aborted, or fails, ends for its environment alone', async () => {
  const { jobs, ended } = newJobs();
  jobs.begin(key('cancelled'), untilAborted);
  jobs.begin(key('failed'), () => Promise.reject(new Error('the database is away')));
  jobs.begin(key('other'), untilAborted);
  jobs.abort('cancelled', new Cancelled(reason('cancelled')));
  await jobs.get('cancelled')?.done;
  await jobs.get('failed')?.done;
  assert.deepEqual([ended.toSorted(), jobs.environments()], [['cancelled', 'failed'], ['other']]);
});

test('all jobs end with the term', async () => {
  const { jobs, term } = newJobs();
  for (const name of ['one', 'other']) jobs.begin(key(name), untilAborted);
  term.abort(new Error('the lease is lost'));
  await jobs.settle();
  assert.deepEqual(jobs.environments(), []);
});

test('an application is busy while another of its environments has a job', () => {
  const { jobs, term } = newJobs();
  jobs.begin(key('production', 'shop'), untilAborted);
  assert.ok(jobs.isBusy('shop'));
  assert.ok(jobs.isBusy('shop', 'preview'));
  assert.ok(!jobs.isBusy('shop', 'production'));
  assert.ok(!jobs.isBusy('blog'));
  term.abort();
});
