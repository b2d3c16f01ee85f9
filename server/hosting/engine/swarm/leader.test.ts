import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Connection } from '../connection.ts';
import { EngineError } from '../errors.ts';
import { awaitingLeader } from './leader.ts';

const NEVER = new AbortController().signal;

/** A manager that gives these errors one after the other, and then succeeds. */
function manager(...messages: readonly string[]) {
  const left = [...messages];
  const connection = {
    async ask() {
      const message = left.shift();
      if (message !== undefined) throw new EngineError(500, message);
      return 'well';
    },
  } as unknown as Connection;
  return { left, connection: awaitingLeader(connection) };
}

test('a manager without a leader is asked again', async () => {
  const { connection } = manager(
    'rpc error: code = Unknown desc = The swarm does not have a leader. It is possible that too few managers are online.',
    'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    'rpc error: code = Unknown desc = raft: failed to process the request: node lost leader status',
  );
  assert.equal(await connection.ask({ path: ['nodes'], signal: NEVER }), 'well');
});

test('what is refused is refused, and what was sent can’t be sent again', async () => {
  const refusing = manager('no such service');
  await assert.rejects(refusing.connection.ask({ path: ['services', 'one'], signal: NEVER }), /no such/);
  const sent = manager('context deadline exceeded');
  const body = Readable.from(['']);
  await assert.rejects(sent.connection.ask({ path: ['containers'], body, signal: NEVER }), /deadline/);
});

test('who waits no longer is not kept', async () => {
  const { connection, left } = manager('raft: no leader', 'raft: no leader');
  const over = new AbortController();
  const answer = connection.ask({ path: ['nodes'], signal: over.signal });
  await new Promise(setImmediate);
  over.abort(new Error('over'));
  await assert.rejects(answer);
  assert.equal(left.length, 1);
});
