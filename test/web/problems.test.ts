import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimchaError } from 'simcha-client';
import {
  markUnreachable,
  problemOf,
  withoutFieldName,
  withoutMachineNames,
} from '../../web/src/lib/problems.ts';

test('a fault of the page, a server that does not respond and a refusal are told apart', () => {
  const lost = new TypeError('Failed to fetch');
  markUnreachable(lost);
  const said = (error: unknown) => {
    const { complaint, isOffline, field } = problemOf(error, 'en');
    return [complaint.slice(0, 30), isOffline, field];
  };
  assert.deepEqual(said(lost), ['The server can’t be reached ri', true, undefined]);
  assert.deepEqual(said(new TypeError('a.trim is not a function')), [
    'Something on this page went wr',
    false,
    undefined,
  ]);
  const refused = { error: 'Title (title): it is missing.', field: 'title' };
  const answer = (status: number, body: unknown) => SimchaError.of(new Response('', { status }), body);
  assert.deepEqual(said(answer(400, refused)), ['It is missing.', false, 'title']);
  for (const lost of [
    'Failed to fetch dynamically imported module: x.js',
    'Unable to preload CSS for /console/x.css',
  ])
    assert.deepEqual(said(new Error(lost)), ['The server can’t be reached ri', true, undefined], lost);
  assert.deepEqual(said(answer(502, undefined)), ['The server can’t be reached ri', true, undefined]);
});

test('an error beside its field is a sentence of its own, in each language', () => {
  const told = {
    en: ['Email (email): must be an email address.', 'Must be an email address.'],
    developers: ['email: must be an email address.', 'Must be an email address.'],
    he: ['מייל (email): נדרשת כתובת.', 'נדרשת כתובת.'],
    ar: ['البريد (email): يلزم عنوان.', 'يلزم عنوان.'],
  };
  for (const [whole, complaint] of Object.values(told))
    assert.equal(withoutFieldName(whole as string, 'email'), complaint);
  assert.equal(withoutFieldName('The event is over.', undefined), 'The event is over.');
});

test('an error away from its field names the field in people’s words', () => {
  const refusal = (error: string, field?: string) =>
    problemOf(SimchaError.of(new Response('', { status: 400 }), { error, field }), 'en').sentence;
  assert.equal(refusal('Title (title): it is missing.', 'title'), 'Title: it is missing.');
  assert.equal(
    refusal('Curfew (noise_curfew_time): must be after the start (event_date).', 'noise_curfew_time'),
    'Curfew: must be after the start.',
  );
  assert.equal(refusal('Dana (dana) is invited twice.'), 'Dana (dana) is invited twice.');
});

test('notes for programs that use the API do not reach the screen', () => {
  const cases: [text: string, shown: string][] = [
    [
      'Stop asking the question (asked: false), or change its text.',
      'Stop asking the question, or change its text.',
    ],
    ['Is only possible with a yes (rsvp_status: confirmed).', 'Is only possible with a yes.'],
    ['Skip the row (doubles=skip) or add another guest (create).', 'Skip the row or add another guest.'],
    ['Enter it in the same browser (or with its request_id).', 'Enter it in the same browser.'],
    ['Up to 2 can come. To give places anyway: over_limit.', 'Up to 2 can come.'],
    ['אפשר עד 2. כדי לתת מקומות בכל זאת: over_limit.', 'אפשר עד 2.'],
    ['يمكن حتى 2. لمنح الأماكن رغم ذلك: over_limit.', 'يمكن حتى 2.'],
    ['In row 3 (Dana): the name is the same.', 'In row 3 (Dana): the name is the same.'],
  ];
  for (const [text, shown] of cases) assert.equal(withoutMachineNames(text), shown);
  const refused = { error: 'Answer (answer): is only possible with a yes (rsvp_status: confirmed).' };
  const { complaint } = problemOf(
    SimchaError.of(new Response('', { status: 400 }), { ...refused, field: 'answer' }),
    'en',
  );
  assert.equal(complaint, 'Is only possible with a yes.');
});
