import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { ANY_DATABASE, startServer, type TestServer } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';

// A site that somebody deployed stands at a host beside the console's, so that browsers send it the console's cookie
// with whatever it asks. It may read nothing of it, change nothing, and sign nobody in or out.

const PLATFORM = 'simcha.test';
const EVIL = 'evil.simcha.test';

let browser: Browser;
let server: TestServer;
let console_: string;
const evil = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>A site</title><h1>Come in</h1>');
});

before(async () => {
  server = await startServer(ANY_DATABASE, { env: { PUBLIC_URL: `http://${PLATFORM}` } });
  console_ = `http://${PLATFORM}:${new URL(server.url).port}`;
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium({
    args: ['--host-resolver-rules=MAP *.test 127.0.0.1, MAP simcha.test 127.0.0.1'],
  });
});
after(async () => {
  await browser.close();
  await server.close();
  evil.close();
});

/** What a page tries, as text: it runs in the browser. Each gives what it came to know, or '' for nothing. */
const ATTEMPTS = {
  'reads by fetch': `fetch(at + '/api/events', { credentials: 'include' }).then((r) => r.text()).catch(() => '')`,
  'reads without asking': `fetch(at + '/api/events', { credentials: 'include', mode: 'no-cors' }).then((r) => r.text()).catch(() => '')`,
  'reads the session': `fetch(at + '/api/auth/session', { credentials: 'include' }).then((r) => r.text()).catch(() => '')`,
  'writes by a simple request': `fetch(at + '/api/events', { method: 'POST', credentials: 'include', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body }).then(() => '').catch(() => '')`,
  'writes as JSON': `fetch(at + '/api/events', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body }).then((r) => r.text()).catch(() => '')`,
  // Of a kind that needs no permission, and that the server takes.
  'imports a list': `(() => { const form = new FormData(); form.append('file', new Blob(['name\\nEvil'], { type: 'text/csv' }), 'list.csv'); return fetch(at + '/api/events/' + event + '/guests/import', { method: 'POST', credentials: 'include', mode: 'no-cors', body: form }).then(() => '').catch(() => ''); })()`,
  deletes: `fetch(at + '/api/events/' + event, { method: 'DELETE', credentials: 'include' }).then(() => '').catch(() => '')`,
  'signs out': `fetch(at + '/api/auth/session', { method: 'DELETE', credentials: 'include', mode: 'no-cors' }).then(() => '').catch(() => '')`,
  'loads it as a script': `new Promise((done) => { const one = document.createElement('script'); one.src = at + '/api/events'; one.onload = () => done('loaded'); one.onerror = () => done(''); document.head.append(one); })`,
  'loads it as a picture': `new Promise((done) => { const one = new Image(); one.src = at + '/api/events'; one.onload = () => done('loaded'); one.onerror = () => done(''); })`,
};

testInLane(
  'a site at a sibling host of the console’s reads nothing, changes nothing, and signs nobody out',
  async () => {
    const session = await newSession(server);
    const token = await server.token(session.userId);
    const body = { title: 'Mine alone', event_date: '2099-06-15T19:30', venue_name: 'Here' };
    const { body: made } = await server.call('POST', '/api/events', { body, token });
    const context = await browser.newContext();
    await context.addCookies([
      { name: 'simcha_session', value: session.token, url: console_, httpOnly: true, sameSite: 'Lax' },
    ]);

    // Its own page is let in, so that what follows says something.
    const own = await context.newPage();
    await own.goto(console_);
    await own.waitForURL('**/today');
    await own.getByText('Mine alone').waitFor();
    // A page without TLS lacks what the console makes keys and copies by.
    assert.equal(await own.evaluate('isSecureContext'), false);
    await own.goto(`${console_}/docs#createEvent`);
    await own.locator('details#createEvent').getByRole('button', { name: 'Copy' }).first().click();
    await own.getByText('Copied').first().waitFor();

    const page = await context.newPage();
    await page.goto(`http://${EVIL}:${(evil.address() as AddressInfo).port}`);
    for (const [name, attempt] of Object.entries(ATTEMPTS)) {
      const known = await page.evaluate(
        `((at, event, body) => ${attempt})(${JSON.stringify(console_)}, ${JSON.stringify(made.event.id)}, ${JSON.stringify(JSON.stringify({ ...body, title: 'Evil' }))})`,
      );
      assert.equal(known, '', name);
    }
    await page.setContent(`<iframe src="${console_}/events"></iframe>`);
    assert.match(page.frames()[1]?.url() ?? '', /^chrome-error:/);
    // A form needs no permission to be sent.
    await page.setContent(
      `<form method="post" action="${console_}/api/auth/session" enctype="text/plain"><input name='{"email":"a@example.com","code":"AAAA-AAAA","x":"' value='"}'></form>`,
    );
    await page.evaluate('document.forms[0].submit()');
    await page.waitForURL(`${console_}/api/auth/session`);

    const { body: list } = await server.call('GET', '/api/events', { token });
    assert.deepEqual(
      list.events.map((event: { title: string }) => event.title),
      ['Mine alone'],
    );

    const { body: guests } = await server.call('GET', `/api/events/${made.event.id}/guests`, { token });
    assert.equal(guests.total, 0);

    // It plants a cookie of the same name for all hosts: nobody becomes somebody else by it.
    const other = await newSession(server);
    await page.goto(`http://${EVIL}:${(evil.address() as AddressInfo).port}`);
    await page.evaluate(`document.cookie = 'simcha_session=${other.token}; Domain=${PLATFORM}; Path=/'`);
    await own.goto(`${console_}/events`);
    await own.waitForURL('**/sign-in?to=%2Fevents');
    await context.close();
  },
);
