import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { campaign } from '../support/campaign.ts';
import { createClient } from '../support/client.ts';
import { spawnServer } from '../support/process.ts';
import { preparedFolder, SECRET } from '../support/server.ts';

const KILLS = campaign(2, 100);
const WRITERS = 8;
const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d');

test(`over ${KILLS} kills in the middle of writes, no acknowledged write is lost`, async (t) => {
  const folder = await preparedFolder(await mkdtemp(join(tmpdir(), 'simcha-crash-')));
  const env = { DATA_DIR: folder, JWT_SECRET: SECRET, RATE_LIMIT: '1000000' };
  /** What was acknowledged: the title each event should have, null for one that was deleted. */
  const acknowledged = new Map<string, string | null>();
  /** What was under way at a kill may have happened or not. */
  const uncertain = new Set<string>();
  let checked = 0;
  let server = await spawnServer(env);
  try {
    for (let kill = 1; kill <= KILLS; kill++) {
      const call = createClient(server.url, { token });
      const goal = acknowledged.size + 20 + Math.floor(Math.random() * 60);
      let down = false;
      const write = async (writer: number) => {
        for (let turn = 0; !down; turn++) {
          const title = `${kill}.${writer}.${turn}`;
          const created = await call('POST', '/api/events', {
            body: { title, event_date: '2099-06-15T19:30', venue_name: 'עדן' },
          });
          assert.equal(created.status, 201);
          const { id } = created.body.event;
          acknowledged.set(id, title);
          if (turn % 3 === 1) {
            uncertain.add(id);
            assert.equal(
              (await call('PUT', `/api/events/${id}`, { body: { title: `${title}!` } })).status,
              200,
            );
            uncertain.delete(id);
            acknowledged.set(id, `${title}!`);
          }
          if (turn % 3 === 2) {
            uncertain.add(id);
            assert.equal((await call('DELETE', `/api/events/${id}`)).status, 204);
            uncertain.delete(id);
            acknowledged.set(id, null);
          }
          if (acknowledged.size >= goal) {
            down = true;
            server.child.kill('SIGKILL');
          }
        }
      };
      // fetch fails where the kill cut it off; any other failure is the test's.
      await Promise.all(
        Array.from({ length: WRITERS }, (_, writer) =>
          write(writer).catch((error) => {
            if (!(error instanceof TypeError)) throw error;
          }),
        ),
      );
      assert.equal(await server.ended, null);

      server = await spawnServer(env);
      assert.ok(server.url, server.output());
      const again = createClient(server.url, { token });
      for (const [id, title] of acknowledged) {
        if (uncertain.has(id)) continue;
        const { status, body } = await again('GET', `/api/events/${id}`);
        assert.deepEqual([status, body.event?.title ?? null], title === null ? [404, null] : [200, title]);
        checked += 1;
      }
      for (const id of uncertain) {
        const { status } = await again('GET', `/api/events/${id}`);
        assert.ok(status === 200 || status === 404);
        acknowledged.delete(id);
      }
      uncertain.clear();
    }
  } finally {
    server.child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
  t.diagnostic(`${acknowledged.size} acknowledged events over ${KILLS} kills, ${checked} look-ups, 0 lost`);
});
