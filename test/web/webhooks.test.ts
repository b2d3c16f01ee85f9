import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { until } from '../support/until.ts';
import { startReceiver, verified, WEBHOOKS } from '../support/webhook-receiver.ts';
import { visitSignedIn } from './console.ts';
import { buttonNamed } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

const WORDS = {
  phone: {
    webhooks: 'ל־webhooks',
    create: 'webhook חדש',
    url: 'כתובת',
    kind: 'מוזמנים נוספו',
    where: 'איפה',
    send: 'יצירה',
    secret: 'הסוד',
    once: 'הוא לא יוצג שוב',
    done: 'סיימתי',
    test: 'שליחת הודעת בדיקה',
    received: 'ההודעה התקבלה',
    refused: 'ההודעה לא התקבלה',
    log: 'יומן',
    failed: 'נכשלו',
    show: 'הצגה',
    again: 'שליחה שוב',
    more: 'סוד ומחיקה',
    remove: 'מחיקת ה־webhook',
    none: 'עוד אין webhooks.',
    edit: 'עריכה',
    save: 'שמירה',
    description: 'תיאור',
    down: 'אתר אינו זמין',
    all: 'לכל ה־webhooks',
  },
  desk: {
    webhooks: 'Show webhooks',
    create: 'New webhook',
    url: 'Address',
    kind: 'Guests added',
    where: 'Restricted to',
    send: 'Create',
    secret: 'Secret',
    once: 'it is not shown again',
    done: 'Done',
    test: 'Send test message',
    received: 'Received',
    refused: 'Not received',
    log: 'Log',
    failed: 'Failed',
    show: 'Show',
    again: 'Send again',
    more: 'Secret and deletion',
    remove: 'Delete webhook',
    none: 'No webhooks yet.',
    edit: 'Edit',
    save: 'Save',
    description: 'Description',
    down: 'A site is down',
    all: 'Show all webhooks',
  },
} as const;

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  test(`a webhook is created, tried, read, replayed and deleted, on a ${look}`, async () => {
    const server = await sharedServer(ANY_DATABASE, { WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true' });
    await using receiver = await startReceiver();
    await using at = await visitSignedIn(server, LOOKS[look], '/settings');
    const { page, session } = at;
    const body = { title: 'Gala', event_date: '2099-06-15T19:30', venue_name: 'Here' };
    const { event } = (await session.call('POST', '/api/events', { body })).body;
    await page.getByRole('link', { name: words.webhooks }).click();
    await page.getByText(words.none).waitFor();
    await buttonNamed(page, words.create).click();
    await page.getByRole('textbox', { name: words.url }).fill(receiver.url);
    await page.getByRole('combobox', { name: words.where }).selectOption(event.id);
    await buttonNamed(page, words.send).click();
    await at.look();
    await page.getByRole('checkbox', { name: words.kind }).check({ force: true });
    await buttonNamed(page, words.send).click();
    await page.getByText(words.once).waitFor();
    const secret = await page.getByRole('textbox', { name: words.secret }).inputValue();
    await at.look();
    await buttonNamed(page, words.done).click();
    const [webhook] = (await session.call('GET', WEBHOOKS)).body.webhooks;
    assert.deepEqual([webhook.kinds, webhook.event_id], [['guest.added'], event.id]);

    await buttonNamed(page, words.test).click();
    await page.getByText(words.received).waitFor();
    verified(secret, receiver.received[0] as (typeof receiver.received)[0]);
    receiver.answers.push((response) => void response.writeHead(500).end('No luck'));
    await buttonNamed(page, words.test).click();
    await page.getByText(words.refused).waitFor();
    await buttonNamed(page, words.log).click();
    await page.getByRole('radiogroup').getByText(words.failed).click();
    // The list of all deliveries stays until that of the failed one has come.
    await page.getByRole('button', { name: words.show, exact: true }).nth(1).waitFor({ state: 'detached' });
    await buttonNamed(page, words.show).click();
    await page.getByText('No luck').waitFor();
    await page.getByText('webhook_id').waitFor();
    await at.look();
    await buttonNamed(page, words.again).click();
    await receiver.messages(3);
    assert.equal(receiver.received[2]?.id, receiver.received[1]?.id);

    await buttonNamed(page, words.edit).click();
    await page.getByRole('textbox', { name: words.description }).fill('CRM');
    await buttonNamed(page, words.save).click();
    await page.getByText('CRM').waitFor();
    // Another application's webhooks: this one is not among them.
    await page.goto(`${server.url}/settings/webhooks?application=${event.id}`);
    await page.getByText(words.none).waitFor();
    await page.getByRole('link', { name: words.all }).click();
    await page.getByText('CRM').waitFor();
    await buttonNamed(page, words.more).click();
    await buttonNamed(page, words.remove).click();
    await at.look();
    await buttonNamed(page, words.remove).click();
    await page.getByText(words.none).waitFor();
  });

  test(`mails about sites are switched off one by one, on a ${look}`, async () => {
    const server = await sharedServer(ANY_DATABASE);
    await using at = await visitSignedIn(server, LOOKS[look], '/settings');
    const { page, session } = at;
    await page.getByRole('switch', { name: words.down, exact: true }).uncheck({ force: true });
    const settings = async () => (await session.call('GET', '/api/v1/users/me/notifications')).body;
    await until(async () => (await settings()).site_down === false);
    assert.deepEqual([(await settings()).site_up, (await settings()).deployment_failed], [true, true]);
    await page.reload();
    await page.getByRole('switch', { name: words.down, exact: true }).waitFor();
    assert.equal(await page.getByRole('switch', { name: words.down, exact: true }).isChecked(), false);
    await at.look();
  });
}
