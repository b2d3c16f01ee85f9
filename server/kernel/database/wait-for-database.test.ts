import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitForDatabase } from './wait-for-database.ts';

test('a database that is away is told of once for each reason, however often it is asked', async () => {
  const said = ['a', 'a', 'b'];
  const told: string[] = [];
  let asked = 0;
  const answer = await waitForDatabase(
    async () => {
      const message = said[asked];
      asked += 1;
      if (message !== undefined) throw new Error(message);
      return 'there';
    },
    {
      signal: new AbortController().signal,
      isAway: () => true,
      onAway: (error) => told.push(`${asked} ${(error as Error).message}`),
    },
  );
  assert.equal(answer, 'there');
  assert.deepEqual(told, ['1 a', '3 b']);
});
