import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimchaError } from 'simcha-client';
import { noteUnanswered, problemOf } from '../../web/src/lib/problems.ts';

test('a fault of the page is told from a server that does not answer, and that from one that refuses', () => {
  const lost = new TypeError('Failed to fetch');
  noteUnanswered(lost);
  const said = (error: unknown) => {
    const { sentence, isOffline, field } = problemOf(error, 'en');
    return [sentence.slice(0, 30), isOffline, field];
  };
  assert.deepEqual(said(lost), ['The server can’t be reached ri', true, undefined]);
  assert.deepEqual(said(new TypeError('a.trim is not a function')), [
    'Something on this page went wr',
    false,
    undefined,
  ]);
  const refused = { error: 'Title (title): it is missing.', field: 'title' };
  const answer = (status: number, body: unknown) => SimchaError.of(new Response('', { status }), body);
  assert.deepEqual(said(answer(400, refused)), ['it is missing.', false, 'title']);
  assert.deepEqual(said(answer(502, undefined)), ['The server can’t be reached ri', true, undefined]);
});
