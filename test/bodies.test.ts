import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { isSingleLine, toSingleLine } from '../server/kernel/one-line.ts';
import { DIETS } from '../server/planning/guests/fields.ts';
import { campaign } from './support/campaign.ts';
import type { Answer, CallOptions } from './support/client.ts';
import { type NameServer, startNameServer } from './support/dns.ts';
import {
  type DescribedOperation,
  describedOperations,
  fittingValues,
  type KnownValues,
  misfittingBodies,
} from './support/request-bodies.ts';
import { makeResources, type ResourceIds } from './support/resources.ts';
import { ANY_DATABASE, startServer, type TestServer } from './support/server.ts';
import { newSession } from './support/sessions.ts';

// What /openapi.json says of a body is what is taken: bodies that fit are not refused but by a rule that stands here,
// bodies with one field that does not fit are. Another seed, or more runs an operation:
// FUZZ_SEED=1 FUZZ_RUNS=300 npm test -- test/bodies.test.ts

const SEED = Number(process.env.FUZZ_SEED ?? campaign(1, Date.now() % 1_000_000_007));
const RUNS = Number(process.env.FUZZ_RUNS ?? campaign(8, 300));

interface Rule {
  /** All of them, unless said otherwise. */
  operations?: readonly string[];
  /** What the answer says. */
  code?: string;
  field?: string;
  /** Whether it is broken, where that can be seen from the field's value. */
  broken?(value: unknown): boolean;
}

/** Asked of an event once: a change may be its last, and it has fifty organizers and rounds of mail at most. */
const ONCE = ['updateEvent', 'inviteCoOrganizer', 'sendRound'];

/** Asked of another event: they take away what others ask for by its id, or others take away what they do. */
const APART = [
  'addPayment',
  'updatePayment',
  'changeGuests',
  'deleteGuests',
  'restoreGuests',
  // What is not asked is not taken.
  'updateRsvpSettings',
];

const isNoLine = (value: unknown) => typeof value === 'string' && !isSingleLine(value);

/** What a schema can't say, or does not: the only reasons for which a body that fits may be refused. */
const RULES: Readonly<Record<string, Rule>> = {
  'text in which nothing is seen is none': {
    broken: (value) => typeof value === 'string' && toSingleLine(value) === '',
  },
  'text the database can’t keep': {
    broken: (value) =>
      [value].flat().some((one) => typeof one === 'string' && (/\0/.test(one) || !one.isWellFormed())),
  },
  'a name is one line that can be seen': { field: 'name', broken: isNoLine },
  'a build command is one line that can be seen': { field: 'build', broken: isNoLine },
  'an install command is one line that can be seen': { field: 'install', broken: isNoLine },
  'a start command is one line that can be seen': { field: 'start', broken: isNoLine },
  'a phone number is one': { field: 'phone' },
  'each other phone number is one': { field: 'other_phones' },
  'each other mail address is one that mail servers take': { field: 'other_emails' },
  'the number of whom guests ask is one': { operations: ['updateEventInvitation'], field: 'contact_phone' },
  'the address of a page is one': { operations: ['updateEventInvitation'], field: 'online_url' },
  'a mail address that mail servers take': { field: 'email' },
  'a vendor who is there': { field: 'vendor_id' },
  'what is paid is part of the price': {
    operations: ['createBooking', 'updateBooking', 'addPayment', 'updatePayment'],
    field: 'payments',
  },
  'a payment of this booking': {
    operations: ['createBooking', 'updateBooking'],
    broken: (value) => typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value),
  },
  'nothing is paid before its day': {
    operations: ['createBooking', 'updateBooking', 'addPayment', 'updatePayment'],
    broken: (value) => typeof value === 'string' && value > new Date().toISOString().slice(0, 10),
  },
  'a booking has fifty payments': { operations: ['addPayment'], code: 'too_many' },
  'plates have a price': { operations: ['createBooking', 'updateBooking'], field: 'plates' },
  'a child’s plate beside a plate with a price': {
    operations: ['createBooking', 'updateBooking'],
    field: 'price_per_child',
  },
  'a minimum of plates that have a price': {
    operations: ['createBooking', 'updateBooking'],
    field: 'minimum_plates',
  },
  'a deposit is part of the price': { operations: ['createBooking', 'updateBooking'], field: 'deposit' },
  'an end comes after its beginning': { operations: ['createBooking', 'updateBooking'], field: 'ends_at' },
  'a time that calendar and clock do not have, or no year of ours': {
    broken: (value) =>
      typeof value === 'string' &&
      /^(\d{4}-(02|04|06|09|11)-(29|3\d)|\d{4}-03-2\d[t ]02|0000|0001-01-01|9999-12-31)/i.test(value),
  },
  'answers go to the questions of the event': {
    operations: ['createGuest', 'updateGuest', 'changeGuests', 'answerInvitation'],
    field: 'answers',
  },
  'a question says something': { operations: ['createQuestion', 'updateQuestion'], field: 'text' },
  'a choice has options': { operations: ['createQuestion', 'updateQuestion'], field: 'options' },
  'a number has a largest one': { operations: ['createQuestion', 'updateQuestion'], field: 'most' },
  'maybe is no yes and no no': {
    operations: ['createGuest', 'updateGuest', 'changeGuests', 'addCall'],
    field: 'maybe',
  },
  'of a party some are children': {
    operations: ['createGuest', 'updateGuest', 'changeGuests', 'addCall', 'answerInvitation'],
    field: 'coming_children',
  },
  'of those invited some are children': {
    operations: ['createGuest', 'updateGuest', 'changeGuests'],
    field: 'party_children',
  },
  ...Object.fromEntries(
    DIETS.map((field) => [`nobody eats two meals, ${field}`, { operations: ['answerInvitation'], field }]),
  ),
  'members are people of the party': {
    operations: ['createGuest', 'updateGuest', 'answerInvitation'],
    field: 'members',
  },
  ...Object.fromEntries(
    DIETS.map((field) => [
      `no fewer than by name, ${field}`,
      { operations: ['createGuest', 'updateGuest'], field },
    ]),
  ),
  'over the limit goes with a yes': { operations: ['createGuest', 'updateGuest'], field: 'over_limit' },
  'coming goes with a yes': {
    operations: ['createGuest', 'updateGuest', 'addCall', 'changeGuests'],
    field: 'coming',
  },
  'it is said which guests are meant': { operations: ['changeGuests', 'deleteGuests'], code: 'nobody' },
  'it is said which requests are meant': { operations: ['declineGuestRequests'], code: 'nobody' },
  'it is said what to change': { operations: ['changeGuests'], code: 'nothing_to_change' },
  'a guest has twenty tags': { operations: ['changeGuests'], code: 'too_many_tags' },
  'a thousand guests at once': { operations: ['restoreGuests'], code: 'too_many' },
  'who was reached answers': { operations: ['addCall'], field: 'rsvp_status' },
  'another call is promised for a time to come': { operations: ['addCall'], field: 'call_again_at' },
  'one answers before the event': { operations: ['updateRsvpSettings'], field: 'answer_until' },
  'a round goes to somebody': { operations: ['sendRound'], code: 'nobody' },
  'a round goes out in time': { operations: ['sendRound', 'updateRound'], field: 'send_at' },
  'only mail has a subject': { operations: ['sendRound'], field: 'subject' },
  'a message says something': { operations: ['sendRound'], field: 'message' },
  'a round suits its event': { operations: ['sendRound'], code: 'not_cancelled' },
  'an event ends after it begins': { operations: ['updateEventInvitation'], field: 'event_end' },
  'an agenda is of its event’s days': {
    operations: ['createAgendaItem', 'updateAgendaItem'],
    field: 'starts_at',
  },
  'an item ends after it begins': {
    operations: ['createAgendaItem', 'updateAgendaItem'],
    field: 'ends_at',
  },
  'no more variables than there may be': {
    operations: ['updateEnvironment', 'updateVariables', 'createVariableGroup', 'updateVariableGroup'],
    field: 'body',
  },
  'a variable has a value somewhere': {
    operations: ['updateVariables', 'createVariableGroup', 'updateVariableGroup'],
    broken: (value) => value === null || value === undefined,
  },
  'which status follows which': { operations: ['updateEvent'], code: 'disallowed_status' },
  'a code is wrong': {
    operations: ['verify', 'signIn', 'startSession', 'findDeviceLogin', 'decideDeviceLogin'],
    code: 'wrong_code',
  },
  'no device asked with this code': { operations: ['pollDeviceLogin'], code: 'expired_token' },
  'the name of a device is one line that can be seen': { field: 'client', broken: isNoLine },
  'a token is for an application of its user': { operations: ['createToken'], field: 'application_id' },
  'a token is for an event of its user': { operations: ['createToken'], field: 'event_id' },
  'a token for everything is not restricted': { operations: ['createToken'], field: 'scopes' },
  'a token expires within a year': { operations: ['createToken'], field: 'expires_at' },
  'the address of a webhook': { operations: ['createWebhook', 'updateWebhook'], field: 'url' },
  'a webhook is for an application of its user': { operations: ['createWebhook'], field: 'application_id' },
  'a webhook is for an event of its user': { operations: ['createWebhook'], field: 'event_id' },
  'a webhook for one side has kinds of that side': { operations: ['createWebhook'], field: 'kinds' },
  'the address of a repository': { field: 'repository' },
  'the name of an image, on a server with containers': { field: 'image' },
  'a registry’s user without a colon, of an image': { field: 'registry_user' },
  'a registry’s password on one line, of an image': { field: 'registry_password' },
  'a folder that is uploaded has no previews': {
    operations: ['createApplication', 'updateApplication'],
    field: 'previews',
  },
  'the name of a git branch': { field: 'branch' },
  'the name of a git tag, and of nothing else': { operations: ['deploy'], field: 'tag' },
  'a preview or a deployment is named': { operations: ['promote'], field: 'preview' },
  'a command, or a job': { operations: ['run'], field: 'command' },
  'no longer than the server lets a command run': { operations: ['run'], field: 'seconds' },
  'a path that is not the system’s': { operations: ['addVolume'], field: 'path' },
  'the name of a time zone': { field: 'time_zone' },
  'a version of Node.js, or a range of them': { field: 'node' },
  'a folder inside the repository': { field: 'root' },
  'paths in the repository, with stars': { field: 'watch_paths' },
  'no longer than the operator lets a site take': { field: 'response_seconds' },
  'a folder inside the application': { field: 'publish' },
  'a subdomain that is not reserved': { field: 'subdomain' },
  'the name of a host that can be somebody’s': { operations: ['addDomain'], field: 'hostname' },
  'the name of a host to which visitors are sent': { field: 'redirect_to' },
  'redirects as a file has them': { operations: ['updateRules'], field: 'redirects' },
  'headers as a file has them': { operations: ['updateRules'], field: 'headers' },
};

interface Exception {
  operations: readonly string[];
  /** All of them, unless said otherwise. */
  fields?: readonly string[];
  values(value: unknown): boolean;
  status?: number;
}

const isFalsy = (value: unknown) => !value;
const isAnything = () => true;

/** Where a value that does not fit is taken all the same. */
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'the contract: what is falsy is not there': {
    operations: ['createEvent', 'updateEvent', 'duplicateEvent'],
    values: isFalsy,
  },
  'the contract: true is what is truthy': {
    operations: ['createEvent', 'updateEvent', 'duplicateEvent'],
    fields: ['compliance_dismissed'],
    values: isAnything,
  },
  'the contract: an unknown choice is a 500 on update': {
    operations: ['updateEvent'],
    fields: ['kashrut_level', 'language_pref'],
    values: isAnything,
    status: 500,
  },
  // Read with a yes alone.
  'coming, with a no': {
    operations: ['answerInvitation'],
    fields: ['coming', 'coming_children'],
    values: isAnything,
  },
};

describe(`bodies as /openapi.json describes them, FUZZ_SEED=${SEED}`, () => {
  let server: TestServer;
  let names: NameServer;
  let operations: DescribedOperation[];
  let credentials: Record<string, CallOptions>;
  let thing: ResourceIds;
  let apart: ResourceIds;
  let known: KnownValues;

  before(async () => {
    names = await startNameServer();
    server = await startServer(ANY_DATABASE, {
      env: { APPS_DNS_SERVERS: names.address, OPERATORS: 'fuzz@example.com' },
    });
    const described = describedOperations((await server.call('GET', '/openapi.json')).body);
    operations = described.filter(({ body }) => body);
    const { body } = await server.call('POST', '/api/v1/users/register', {
      body: { email: 'fuzz@example.com' },
    });
    await sql`update users set verified = true`.execute(server.simcha.database.sql);
    credentials = {
      organizer: { token: await server.token('fuzzer') },
      apiKey: { headers: { 'x-api-key': body.api_key } },
      session: { headers: (await newSession(server)).headers },
    };
    thing = await makeResources(server, credentials, 0);
    const other = await makeResources(server, credentials, 1);
    apart = { id: other.id ?? '', bookingId: other.bookingId ?? '', paymentId: other.paymentId ?? '' };
    const ofEvent = (path: string) =>
      server.call('GET', `/api/events/${thing.id}${path}`, credentials.organizer);
    const { url } = (await ofEvent(`/guests/${thing.guestId}/link`)).body.link;
    const hostname = 'www.fuzzed-domain.com';
    await server.call('POST', `/api/v1/applications/${thing.uuid}/domains`, {
      ...credentials.apiKey,
      body: { hostname },
    });
    const { rows } = await sql<{ account: string }>`
      select account_id as account from users where email = 'fuzz@example.com'`.execute(
      server.simcha.database.sql,
    );
    thing = {
      ...thing,
      token: url.split('/').at(-1),
      item: 'capacity',
      hostname,
      account: rows[0]?.account ?? '',
    };
    const mostly = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: wrong });
    const text = fc.string({ minLength: 1 });
    known = {
      vendor_id: mostly(fc.constant(thing.vendorId ?? ''), fc.uuid()),
      repository: mostly(fc.stringMatching(/^https:\/\/git\.example\.com\/[a-z]{1,9}\.git$/), text),
      url: mostly(fc.webUrl({ validSchemes: ['https'] }), text),
      hostname: mostly(fc.stringMatching(/^www\.[a-z]{3,9}\.com$/), text),
    };
  });
  after(async () => {
    await server.close();
    await names[Symbol.asyncDispose]();
  });

  /** Sent for something that is there. */
  const send = async (operation: DescribedOperation, body: unknown): Promise<Answer> => {
    const { method, path, credential, operationId } = operation;
    const there = APART.includes(operationId) ? { ...thing, ...apart } : thing;
    const named = ONCE.includes(operationId) ? await makeEvent(operationId) : there;
    const own = credentials[credential ?? ''];
    return server.call(
      method.toUpperCase(),
      path.replace(/\{(\w+)\}/g, (_, name) => named[name] ?? assert.fail(`nothing for {${name}}`)),
      {
        ...own,
        // As a page of its own: by no other does a browser sign in.
        headers: { 'accept-language': 'en', origin: server.url, ...own?.headers },
        body: JSON.stringify(body),
      },
    );
  };
  const makeEvent = async (operationId: string): Promise<ResourceIds> => {
    const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
    const made = await server.call('POST', '/api/events', { ...credentials.organizer, body });
    const { id } = made.body.event;
    if (operationId === 'sendRound') {
      const published = { ...credentials.organizer, body: { status: 'published' } };
      await server.call('PUT', `/api/events/${id}`, published);
    }
    return { id };
  };

  const brokenRule = ({ operationId }: DescribedOperation, body: unknown, { body: answer }: Answer) => {
    const { code = 'invalid_field', field = '' } = answer;
    const [about = ''] = field.split(/[.[]/);
    return Object.values(RULES).some(
      (rule) =>
        (rule.operations?.includes(operationId) ?? true) &&
        (rule.code ?? 'invalid_field') === code &&
        [field, about].includes(rule.field ?? field) &&
        (rule.broken?.(valueAt(body, field)) ?? true),
    );
  };

  test('a body that fits is refused by a rule with a name alone', async () => {
    for (const operation of operations) {
      const property = fc.asyncProperty(fittingValues(operation.body, known), async (body) => {
        const answer = await send(operation, body);
        const told = `${operation.operationId}: ${answer.status} ${answer.text.slice(0, 300)}`;
        assert.ok(answer.status < 500, told);
        if (answer.status === 400) assert.ok(brokenRule(operation, body, answer), `no rule of ours: ${told}`);
      });
      await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    }
  });

  test('a body with a field that does not fit is refused', async () => {
    for (const operation of operations) {
      const property = fc.asyncProperty(
        misfittingBodies(operation.body, known),
        async ({ body, field, value }) => {
          const answer = await send(operation, body);
          const told = `${operation.operationId}, ${field}: ${answer.status} ${answer.text.slice(0, 300)}`;
          const excepted = Object.values(EXCEPTIONS).filter(
            ({ operations, fields, values }) =>
              operations.includes(operation.operationId) &&
              (fields?.includes(field) ?? true) &&
              values(value),
          );
          if (answer.status === 400) {
            const about = String(answer.body.field ?? '').split(/[.[]/)[0];
            assert.ok(about === field || brokenRule(operation, body, answer), `about another field: ${told}`);
          } else {
            const isSo = ({ status }: Exception) => (status ? answer.status === status : answer.status < 300);
            assert.ok(excepted.some(isSo), `taken: ${told}`);
          }
        },
      );
      await fc.assert(property, { seed: SEED, numRuns: 2 * RUNS, endOnFailure: true });
    }
  });

  test('each exception is one', async () => {
    for (const [name, { operations: ids, fields, values }] of Object.entries(EXCEPTIONS)) {
      for (const operation of operations.filter(({ operationId }) => ids.includes(operationId))) {
        const wrong = fc
          .sample(misfittingBodies(operation.body, known), { seed: SEED, numRuns: 1_000 })
          .filter(({ field, value }) => (fields?.includes(field) ?? true) && values(value));
        const answers = wrong.map(
          ({ body }) =>
            async () =>
              (await send(operation, body)).status,
        );
        assert.ok(
          await some(answers, (status) => status !== 400),
          `no exception any more, so drop it: ${name}`,
        );
      }
    }
  });
});

/** Whether one of them comes to that, asked one after the other. */
async function some<T>(all: (() => Promise<T>)[], fits: (one: T) => boolean): Promise<boolean> {
  for (const ask of all) if (fits(await ask())) return true;
  return false;
}

/** What stands at `payments[2].note` of a body. */
function valueAt(body: unknown, place: string): unknown {
  return place
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], body);
}
