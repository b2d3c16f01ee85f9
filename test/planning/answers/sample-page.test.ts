import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES } from '../../support/server.ts';
import { newEvent } from '../event.ts';

for (const kind of DATABASES) {
  test(`organizers see how guests will see a draft, in each language, and send nothing from it, on ${kind}`, async () => {
    const fields = { title: 'החתונה של נועה', description: 'חופה <b>בשקיעה</b>' };
    await using event = await newEvent(kind, fields, 'draft');
    const { call, id, server } = event;
    for (const [query, question] of [
      ['', 'מגיעים?'],
      ['?language=arabic', 'هل ستحضرون؟'],
      ['?language=english', 'Will you come?'],
    ] as const) {
      const page = await call('GET', `/invitation/page${query}`);
      assert.equal(page.status, 200, page.text);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'; sandbox$/);
      assert.ok(page.text.includes(question) && page.text.includes('החתונה של נועה'), page.text);
      assert.ok(page.text.includes('&lt;b&gt;'));
    }
    const wrong = await call('GET', '/invitation/page?language=latin');
    assert.deepEqual([wrong.status, wrong.body.field], [400, 'language']);

    const path = `/api/events/${id}/invitation/page`;
    const other = await server.token('somebody else');
    assert.equal((await server.call('GET', path, { token: other })).status, 403);
    assert.equal((await server.call('GET', path)).status, 401);
    await call('PUT', '', { body: { status: 'cancelled' } });
    assert.ok(!(await call('GET', '/invitation/page')).text.includes('מגיעים?'));
  });
}
