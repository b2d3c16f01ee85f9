import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { newEvent } from './event.ts';

interface Told {
  code: string;
  name: string;
  message: string;
}

const codes = (advice: Told[]) => advice.map(({ code }) => code);

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an event with an end is told of what begins before it on ${kind}`, async () => {
    // A Friday; candles are lit at 19:07.
    await using event = await newEvent(kind, { event_date: '2099-06-19T12:00' });
    const told = async () =>
      (await event.call('GET', '/calendar')).body.calendar.advice.map(
        ({ code, at_start }: { code: string; at_start: boolean }) => [code, at_start],
      );
    assert.deepEqual(await told(), [['shabbat_eve', true]], 'of the beginning, where nobody said how long');
    await event.call('PUT', '/invitation', { body: { event_end: '2099-06-19T21:00' } });
    assert.deepEqual(await told(), [['shabbat', false]]);
  });

  test(`an event that says where it is has the sun of that place on ${kind}`, async () => {
    // The sun sets at 19:46 in Jerusalem, four minutes before that in Eilat.
    await using event = await newEvent(kind, { event_date: '2099-06-17T19:44' });
    const read = async () => {
      const { place, sunset, after_sunset, hebrew_date } = (await event.call('GET', '/calendar')).body
        .calendar;
      return [place, sunset, after_sunset, hebrew_date.text];
    };
    assert.deepEqual(await read(), ['ירושלים', '19:46', false, 'כ״ט בסיוון תתנ״ט']);
    await event.call('PUT', '/invitation', { body: { coordinates: '29.5577, 34.9519' } });
    assert.deepEqual(await read(), ['מקום האירוע', '19:42', true, 'אור לל׳ בסיוון תתנ״ט']);
  });

  test(`an event’s calendar has its Hebrew date, sunset and advice on ${kind}`, async () => {
    // 3 Tishri 5859.
    await using event = await newEvent(kind, { event_date: '2098-09-29T19:30' });
    const read = async (language = 'he') => {
      const headers = { 'accept-language': language };
      const { status, body, text } = await event.call('GET', '/calendar', { headers });
      assert.equal(status, 200, text);
      return body.calendar;
    };
    const { advice, ...calendar } = await read();
    const night = { year: 5859, month: 'tishri', day: 4 };
    const letters = 'אור לד׳ בתשרי תתנ״ט';
    assert.deepEqual(calendar, {
      place: 'ירושלים',
      date: '2098-09-29',
      sunset: '18:26',
      after_sunset: true,
      hebrew_date: { ...night, text: letters, letters },
      hebrew_date_before_sunset: { ...night, day: 3, text: 'ג׳ בתשרי תתנ״ט', letters: 'ג׳ בתשרי תתנ״ט' },
      hebrew_date_after_sunset: { ...night, text: letters, letters },
    });
    assert.deepEqual(codes(advice), ['ten_days_of_repentance']);
    assert.deepEqual(
      [advice[0].custom, advice[0].custom_name, advice[0].strength],
      ['some_communities', 'חלק מהקהילות', 'good_to_know'],
    );
    const inEnglish = await read('en');
    assert.deepEqual(
      [inEnglish.place, inEnglish.hebrew_date.text, inEnglish.hebrew_date.letters],
      ['Jerusalem', 'eve of 4 Tishri 5859', letters],
    );
    assert.match((await read('ar')).advice[0].message, /يوم الغفران/);

    const put = (body: object) => event.call('PUT', '', { body });
    assert.equal((await put({ event_date: '2098-10-05T20:00' })).status, 200, 'advice refuses nothing');
    assert.deepEqual(codes((await read()).advice), ['yom_kippur']);
    await put({ language_pref: 'arabic', event_date: '2098-10-03T12:00' });
    assert.deepEqual(codes((await read()).advice), [], 'a Friday, and no day of theirs');
    await put({ event_date: '2098-10-06T12:00' });
    assert.deepEqual(codes((await read()).advice), ['yom_kippur'], 'told to all');
  });

  test(`an older event without a date has a calendar without one on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await sql`update events set event_date = null where id = ${event.id}`.execute(
      event.server.simcha.database.sql,
    );
    assert.deepEqual((await event.call('GET', '/calendar')).body.calendar, {
      place: 'ירושלים',
      date: null,
      sunset: null,
      after_sunset: null,
      hebrew_date: null,
      hebrew_date_before_sunset: null,
      hebrew_date_after_sunset: null,
      advice: [],
    });
  });

  test(`an event’s calendar is for whoever may read the event on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { server, id } = event;
    const path = `/api/events/${id}/calendar`;
    const stranger = await server.token('stranger');
    const status = async (at: string, token?: string) => (await server.call('GET', at, { token })).status;
    assert.equal(await status(path), 401);
    assert.equal(await status(path, stranger), 403);
    assert.equal(await status('/api/events/x/calendar', stranger), 404);
    assert.equal((await event.call('PUT', '', { body: { status: 'cancelled' } })).status, 200);
    assert.equal((await event.call('GET', '/calendar')).status, 200);
    assert.equal((await event.call('DELETE', '')).status, 204);
    assert.equal((await event.call('GET', '/calendar')).status, 404);
  });

  test(`days to choose from are told by day and by night on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const ask = (query: string, language = 'he') =>
      server.call('GET', `/api/calendar/days?${query}`, { token, headers: { 'accept-language': language } });
    const week = await ask('from=2027-06-15&to=2027-06-21');
    assert.equal(week.status, 200, week.text);
    assert.deepEqual(
      week.body.days.map((day: Record<string, Told[]>) => [
        day.date,
        codes(day.advice_before_sunset ?? []).join(),
        codes(day.advice_after_sunset ?? []).join(),
      ]),
      [
        ['2027-06-15', '', ''],
        ['2027-06-16', '', ''],
        ['2027-06-17', '', ''],
        ['2027-06-18', 'shabbat_eve', 'shabbat'],
        ['2027-06-19', 'shabbat', 'shabbat_end'],
        ['2027-06-20', '', ''],
        ['2027-06-21', '', ''],
      ],
    );
    assert.deepEqual(week.body.days[3], {
      date: '2027-06-18',
      sunset: '19:46',
      hebrew_date_before_sunset: {
        year: 5787,
        month: 'sivan',
        day: 13,
        text: 'י״ג בסיוון תשפ״ז',
        letters: 'י״ג בסיוון תשפ״ז',
      },
      hebrew_date_after_sunset: {
        year: 5787,
        month: 'sivan',
        day: 14,
        text: 'אור לי״ד בסיוון תשפ״ז',
        letters: 'אור לי״ד בסיוון תשפ״ז',
      },
      advice_before_sunset: [{ code: 'shabbat_eve', name: 'ערב שבת', strength: 'good_to_know' }],
      advice_after_sunset: [{ code: 'shabbat', name: 'שבת', strength: 'not_held' }],
    });

    const feast = await ask('from=2027-03-10&to=2027-03-10&language=arabic', 'ar');
    assert.deepEqual(
      feast.body.days[0].advice_before_sunset.map(({ name }: Told) => name),
      ['الصوم الكبير، حسب التقويم الغربي', 'عيد الفطر'],
    );
    assert.equal((await ask('from=2027-01-01&to=2027-04-10')).body.days.length, 100);
  });

  test(`a query of days that does not fit is a 400 that names what it is about on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    for (const [query, field] of [
      ['', 'from'],
      ['from=2027-06-15', 'to'],
      ['from=2027-02-30&to=2027-03-01', 'from'],
      ['from=15.6.2027&to=2027-06-16', 'from'],
      ['from=2027-06-15&from=2027-06-16&to=2027-06-17', 'from'],
      ['from=2027-06-15&to=2027-06-14', 'to'],
      ['from=2027-01-01&to=2027-04-11', 'to'],
      ['from=1999-12-31&to=2000-01-01', 'from'],
      ['from=2100-12-31&to=2101-01-01', 'to'],
      ['from=2027-06-15&to=2027-06-16&language=french', 'language'],
      ['from=2027-06-15&to=2027-06-16&place=haifa', 'place'],
    ] as const) {
      const { status, body } = await server.call('GET', `/api/calendar/days?${query}`, { token });
      assert.deepEqual([status, body.field], [400, field], `${query}: ${JSON.stringify(body)}`);
      assert.match(body.error, /[א-ת]/);
    }
    assert.equal((await server.call('GET', '/api/calendar/days?from=2027-06-15&to=2027-06-15')).status, 401);
  });
}
