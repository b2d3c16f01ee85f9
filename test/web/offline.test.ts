import assert from 'node:assert/strict';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { newUserEvent, openSection, type UserEvent } from './event-page.ts';
import { LOOKS } from './looks.ts';

const VENDORS = { to: '/events/$eventId/vendors', name: 'vendors', exact: false } as const;
const KEPT = `caches.keys().then((names) => names.filter((name) => name.startsWith('console-')))`;

testInLane('without a network, a section that was not open before says so in its place', async () => {
  const plan = await newUserEvent();
  await using at = await visitGuests(plan);
  const { page, context } = at;
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await context.setOffline(true);
  await openSection(page, plan.id, VENDORS);
  await page.getByText('אין כרגע חיבור לשרת.').first().waitFor();
  await at.look();
  await context.setOffline(false);
  await page.getByRole('heading', { level: 2 }).getByText('ספקים ותקציב').waitFor();
});

testInLane('the service worker keeps the console for times without a network, and nothing else', async () => {
  const plan = await newUserEvent();
  await using at = await visitGuests(plan);
  const { page, context } = at;
  await until(async () => (await page.evaluate('navigator.serviceWorker.controller !== null')) === true);
  assert.equal(((await page.evaluate(KEPT)) as string[]).length, 1);
  const kept = (await page.evaluate(
    `caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))`,
  )) as string[];
  assert.deepEqual(
    kept.filter((path) => !path.startsWith('/console/')),
    ['/sign-in'],
  );
  // Guests' pages, and everything else outside of the console, are outside of its scope.
  const scopes = await page.evaluate(
    `navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => new URL(scope).pathname))`,
  );
  assert.deepEqual(scopes, ['/events']);

  await context.setOffline(true);
  await openSection(page, plan.id, VENDORS);
  await page
    .getByRole('navigation', { name: 'תכנון' })
    .locator('[aria-current=page]')
    .getByText('ספקים')
    .waitFor();
  await page.reload();
  await page.getByText('אין כרגע חיבור לשרת.').first().waitFor();
  // The page goes on by itself as soon as there is a network.
  await context.setOffline(false);
  await page.getByRole('heading', { level: 1 }).getByText('החתונה של נועה').waitFor();
});

testInLane('a cache of an earlier build is removed', async () => {
  const plan = await newUserEvent();
  await using at = await visitGuests(plan);
  const { page } = at;
  await page.evaluate(
    `caches.open('console-earlier').then((cache) => cache.put('/console/old.js', new Response('')))`,
  );
  await until(async () => {
    const names = (await page.evaluate(KEPT)) as string[];
    return names.length === 1 && names[0] !== 'console-earlier';
  });
});

const visitGuests = ({ server, session, id }: UserEvent) =>
  visitConsole(server, LOOKS.phone, {
    session,
    path: `/events/${id}/guests`,
    isKilled: true,
    hasServiceWorker: true,
  });
