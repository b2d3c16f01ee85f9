import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDeveloper } from '../support/developers.ts';
import { DATABASES } from '../support/server.ts';
import { startSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';

const PATH = '/api/v1/users/me/notifications';

for (const kind of DATABASES) {
  test(`a user chooses which mails about sites come, and in which language, on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const { call } = await newDeveloper(server);
    const defaults = { language: 'en', deployment_failed: true, site_down: true, site_up: true };
    assert.deepEqual((await call('GET', PATH)).body, defaults);
    const changed = await call('PATCH', PATH, { body: { language: 'he', site_up: false } });
    assert.deepEqual(changed.body, { ...defaults, language: 'he', site_up: false });
    assert.deepEqual((await call('GET', PATH)).body, changed.body);
    for (const body of [{ language: 'fr' }, { site_up: 'no' }, { answers: true }]) {
      assert.equal((await call('PATCH', PATH, { body })).status, 400, JSON.stringify(body));
    }
    assert.deepEqual((await (await newDeveloper(server)).call('GET', PATH)).body, defaults);
  });

  test(`mails come in the language of the first sign-in until another is chosen, on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const { email, call } = await newDeveloper(server);
    const started = await startSession(server, email, { 'accept-language': 'ar,en;q=0.5' });
    assert.equal(started.status, 201, started.text);
    assert.equal((await call('GET', PATH)).body.language, 'ar');
    await call('PATCH', PATH, { body: { language: 'he' } });
    assert.equal((await call('GET', PATH)).body.language, 'he');
  });
}
