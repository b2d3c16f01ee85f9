import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startEvent } from './event.ts';

test('a body that is too large is a 413 that names the limit of its own route', async () => {
  await using event = await startEvent('postgres');
  const { server } = event;
  const guest = await event.guest({ name: 'דנה' });
  const link = (await event.call('GET', `/guests/${guest.id}/link`)).body.link.url.split('/r/')[1];
  const kilobytes = (count: number) => 'x'.repeat(count * 1024);
  const page = await server.call('POST', `/r/${link}`, {
    body: `message=${kilobytes(64)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(page.status, 413);
  assert.match(page.text, /64 KiB/);
  const changed = await event.call('PUT', '', { body: { description: kilobytes(1024) } });
  assert.deepEqual(
    [changed.status, changed.body.error],
    [413, 'הבקשה גדולה מדי; הגודל המרבי הוא מגה־בייט אחד (1 MiB).'],
  );
  const pushed = await server.call('POST', '/api/v1/hooks/none', { body: { text: kilobytes(1024) } });
  assert.deepEqual(
    [pushed.status, pushed.body.error],
    [413, 'The body is too large; at most 1 MiB is accepted.'],
  );
  for (const size of [20 * 1024 + 1, 22 * 1024]) {
    const imported = await event.call('POST', '/guests/import', {
      body: kilobytes(size),
      headers: { 'content-type': 'text/csv' },
    });
    assert.deepEqual(
      [imported.status, imported.body.error],
      [413, 'הקובץ גדול מדי; הגודל המרבי הוא 20 מגה־בייט (20 MiB).'],
    );
    assert.equal(imported.headers.get('connection'), 'close');
  }
});
