import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { complaintTexts, httpProblems } from '../../server/kernel/http/messages.ts';
import { LANGUAGES } from '../../server/kernel/languages.ts';
import { startServer, type TestServer } from '../support/server.ts';

const SCRIPTS = { he: /[\u05d0-\u05ea]/, ar: /[\u0627-\u064a]/, en: /^[\x20-\x7e’“”…–]+$/ };

describe('an error', () => {
  let server: TestServer;
  let token: string;
  let id: string;
  before(async () => {
    server = await startServer('embedded');
    token = await server.token('me');
    const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
    id = (await server.call('POST', '/api/events', { token, body })).body.event.id;
  });
  after(() => server.close());

  const ask = (method: string, path: string, language?: string, body?: unknown) =>
    server.call(method, path, {
      token,
      ...(body !== undefined && { body }),
      headers: language === undefined ? {} : { 'accept-language': language },
    });

  test('on the contract’s own routes is the Hebrew sentence alone for who names no language', async () => {
    for (const language of [undefined, '*', 'fr, de;q=0.5', '']) {
      const { status, body } = await ask('POST', '/api/events', language, { title: '' });
      assert.equal(status, 400);
      assert.deepEqual(Object.keys(body), ['error']);
      assert.match(body.error, SCRIPTS.he);
    }
  });

  test('has a code, the field it is about, and the sentence in the language preferred', async () => {
    for (const [language, preferred] of [
      ['en-GB,en;q=0.9', 'en'],
      ['ar', 'ar'],
      ['fr, ar;q=0.3, en;q=0.8', 'en'],
    ] as const) {
      const { body } = await ask('POST', '/api/events', language, { title: '' });
      assert.deepEqual(Object.keys(body), ['error', 'code', 'field', 'message']);
      assert.deepEqual([body.code, body.field], ['invalid_field', 'title']);
      assert.match(body.error, SCRIPTS.he);
      assert.match(body.message, SCRIPTS[preferred]);
      assert.match(body.message, /\(title\)/);
    }
    const hebrew = await ask('POST', '/api/events', 'he', { title: '' });
    assert.deepEqual(Object.keys(hebrew.body), ['error', 'code', 'field']);
  });

  test('of what belongs to an event has its code and field always', async () => {
    const wrong = await ask('POST', `/api/events/${id}/guests`, undefined, { name: 'נועה', party_size: 0 });
    assert.equal(wrong.status, 400);
    assert.deepEqual([wrong.body.code, wrong.body.field], ['invalid_field', 'party_size']);
    assert.match(wrong.body.error, SCRIPTS.he);

    const guest = { name: 'נועה', phone: '050-123-4567' };
    await ask('POST', `/api/events/${id}/guests`, undefined, guest);
    const again = await ask('POST', `/api/events/${id}/guests`, 'ar', guest);
    assert.equal(again.status, 409);
    assert.deepEqual([again.body.code, again.body.field], ['duplicate', 'phone']);
    assert.match(again.body.error, SCRIPTS.he);
    assert.match(again.body.message, SCRIPTS.ar);
  });

  test('of the application API is English, and in Hebrew or Arabic beside it where that is preferred', async () => {
    const post = (language?: string) =>
      server.call('POST', '/api/v1/users/register', {
        body: { email: 'nobody' },
        headers: language ? { 'accept-language': language } : {},
      });
    const plain = (await post()).body;
    assert.deepEqual(Object.keys(plain), ['error', 'code', 'field']);
    assert.match(plain.error, SCRIPTS.en);
    assert.equal(plain.field, 'email');
    assert.match((await post('he')).body.message, SCRIPTS.he);
    assert.match((await post('ar')).body.message, SCRIPTS.ar);
    assert.equal((await post('en')).body.message, undefined);
    const nowhere = await server.call('GET', '/api/v1/nowhere', { headers: { 'accept-language': 'he' } });
    assert.deepEqual(nowhere.body, {
      error: httpProblems.not_found.en,
      code: 'not_found',
      message: httpProblems.not_found.he,
    });
  });

  test('of a file that is refused carries its report, the code and the sentence preferred', async () => {
    const answer = await server.call('POST', `/api/events/${id}/guests/import`, {
      token,
      body: 'name,phone\nDana,12\n',
      headers: { 'content-type': 'text/csv', 'accept-language': 'en' },
    });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, 'rows_refused');
    assert.equal(answer.body.import.refused, 1);
    assert.match(answer.body.message, SCRIPTS.en);
  });
});

test('whatever can be wrong with a request or a field is said in each language', () => {
  for (const language of LANGUAGES) {
    for (const words of Object.values(httpProblems)) assert.match(words[language], SCRIPTS[language]);
    for (const kind of [
      'missing',
      'object',
      'text',
      'past',
      'phone',
      'email',
      'date',
      'yes_or_no',
    ] as const) {
      assert.match(complaintTexts[language]({ kind }), SCRIPTS[language]);
    }
  }
});
