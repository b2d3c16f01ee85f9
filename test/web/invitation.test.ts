import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { isOnTop, visitConsole } from './console.ts';
import { buttonNamed, newUserEvent, sectionLink, visitAt } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

// What guests see and how they answer, as people say it: on a phone in Hebrew, at a desk in English, once in Arabic.

const WORDS = {
  phone: {
    save: 'שמירה',
    look: 'איך זה נראה',
    invitation: 'הזמנה',
    answers: 'תשובות',
    agenda: 'לוח זמנים',
    saved: 'נשמר.',
    open: 'קישור פתוח',
    confirm: 'לאשר את הכתובת במייל',
    link: 'הקישור הפתוח',
    qr: 'קוד QR',
    add: 'הוספה ללוח הזמנים',
    addNow: 'הוספה',
    change: 'עריכה: ',
    remove: 'הסרה: ',
    undo: 'ביטול',
    choose: 'שמירת הבחירה',
    another: 'החלפת התמונה',
    removePicture: 'הסרת התמונה',
    gone: 'התמונה הוסרה.',
    back: 'התמונה הקודמת חזרה.',
  },
  desk: {
    save: 'Save',
    look: 'Preview',
    invitation: 'Invitation',
    answers: 'Replies',
    agenda: 'Agenda',
    saved: 'Saved.',
    open: 'Open link',
    confirm: 'Confirm the address by email',
    link: 'Open link',
    qr: 'QR code',
    add: 'Add to agenda',
    addNow: 'Add',
    change: 'Edit: ',
    remove: 'Remove: ',
    undo: 'Undo',
    choose: 'Save choices',
    another: 'Replace picture',
    removePicture: 'Remove picture',
    gone: 'Picture removed.',
    back: 'Previous picture restored.',
  },
} as const;

const picture = (background: string) =>
  sharp({ create: { width: 600, height: 900, channels: 3, background } })
    .png()
    .toBuffer();

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  test(`the texts of an invitation are written and previewed, on a ${look}`, async () => {
    const plan = await newUserEvent();
    const { session, id } = plan;
    const stored = async () => (await session.call('GET', `/api/events/${id}/invitation`)).body.invitation;
    await using at = await visitAt(plan, look, '');
    const { page } = at;
    const field = (name: string) => page.locator(`[data-path=${name}]`);
    const guests = page.frameLocator('iframe');
    const showLook = async () => {
      if (look === 'phone') await sectionLink(page, words.look).click();
    };
    await page.locator('nav a[href$="/invitation"]').click();
    await field('hosts_hebrew').fill('נועה ואיתי');
    await field('contact_phone').fill('12');
    // What was typed outlives a reload, and what the server has against it stands at its field.
    await page.reload();
    assert.equal(await field('hosts_hebrew').inputValue(), 'נועה ואיתי');
    await at.look();
    // It is led to where it is seen, and not behind the bar that saves.
    const { y = 0, height = 0 } = (await field('contact_phone').boundingBox()) ?? {};
    await page.evaluate(`scrollBy(0, ${y + height} - innerHeight + 4)`);
    await buttonNamed(page, words.save).click();
    await page.locator('[data-path=contact_phone][aria-invalid=true]:focus').waitFor();
    assert.equal(await isOnTop(field('contact_phone')), true);
    await field('contact_phone').fill('050-123-4567');
    await field('online_url').fill('https://meet.example.com/noa');
    await page.getByRole('tab', { name: 'English' }).click();
    await page.waitForURL('**language=english');
    await field('title_english').fill('The wedding of Noa and Itay');
    await buttonNamed(page, words.save).click();
    await page.getByText(words.saved, { exact: true }).waitFor();
    const { hosts, title, contact_phone, online_url } = await stored();
    assert.deepEqual(
      [hosts, title, contact_phone, online_url],
      [
        { hebrew: 'נועה ואיתי' },
        { english: 'The wedding of Noa and Itay' },
        '+972501234567',
        'https://meet.example.com/noa',
      ],
    );
    await showLook();
    await guests.getByRole('heading', { name: 'The wedding of Noa and Itay' }).waitFor();
    await guests.getByText('נועה ואיתי').first().waitFor();
    await at.look();
    // What is wrong in another language is led to.
    if (look === 'phone') await sectionLink(page, words.invitation).click();
    await page.getByRole('tab', { name: /^العربية/ }).click();
    await field('hosts_arabic').fill('ليلى@');
    await page.getByRole('tab', { name: 'English' }).click();
    await buttonNamed(page, words.save).click();
    await page.locator('[data-path=hosts_arabic][aria-invalid=true]:focus').waitFor();
    await at.look();
    await field('hosts_arabic').fill('ليلى وسامر');
    // Somebody else says who invites meanwhile, and whom to ask: what both said is chosen.
    const elsewhere = { hosts: { arabic: 'سامر' }, contact_email: 'noa@example.com' };
    await session.call('PUT', `/api/events/${id}/invitation`, { body: elsewhere });
    await buttonNamed(page, words.save).click();
    await page.getByRole('radio', { name: 'سامر' }).last().waitFor();
    await at.look();
    await buttonNamed(page, words.choose).click();
    await page.locator('[data-path=hosts_arabic]').waitFor();
    const after = await stored();
    assert.deepEqual([after.hosts.arabic, after.contact_email], ['ليلى وسامر', 'noa@example.com']);
  });

  testInLane(
    `a picture of the invitation is added, replaced, removed and restored, on a ${look}`,
    async () => {
      const plan = await newUserEvent();
      const { session, id } = plan;
      const stored = async () =>
        (await session.call('GET', `/api/events/${id}/invitation/picture`)).body.picture;
      await using at = await visitAt(plan, look, 'invitation');
      const { page } = at;
      const choose = page.locator('input[type=file]');
      await choose.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
      await page.locator('main').getByRole('alert').waitFor();
      await at.look();
      const red = { name: 'red.png', mimeType: 'image/png', buffer: await picture('red') };
      await choose.setInputFiles(red);
      await page.locator('main img').waitFor();
      const first = await stored();
      assert.deepEqual([first.width, first.height], [600, 900]);
      await at.look();
      // A file that says that it is one, and is none.
      await choose.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('no') });
      await page.locator('main').getByRole('alert').waitFor();
      assert.deepEqual(await stored(), first);
      await choose.setInputFiles({ ...red, buffer: await picture('blue') });
      await until(async () => (await stored()).url !== first.url);
      await buttonNamed(page, words.removePicture).click();
      await page.getByText(words.gone).waitFor();
      await page.locator('main img').waitFor({ state: 'detached' });
      assert.equal(await stored(), null);
      await page
        .getByRole('alert')
        .filter({ hasText: words.gone })
        .getByRole('button', { name: words.undo })
        .click();
      await page.locator('main img').waitFor();
      await until(async () => (await stored()) !== null);
      assert.deepEqual([(await stored()).width, (await stored()).height], [600, 900]);
    },
  );

  testInLane(`the deadline for replies and the open link are set, on a ${look}`, async () => {
    const plan = await newUserEvent();
    const { session, id } = plan;
    const stored = async () => (await session.call('GET', `/api/events/${id}/rsvp`)).body.settings;
    await using at = await visitAt(plan, look, 'invitation');
    const { page } = at;
    const field = (name: string) => page.locator(`[data-path=${name}]`);
    await sectionLink(page, words.answers).click();
    await page.waitForURL('**part=answers');
    await field('until_date').click();
    await page.locator('[data-direction=next]').first().click();
    await page.locator('table button:not([data-outside])').nth(15).click();
    await page.getByRole('switch', { name: words.open }).check({ force: true });
    await field('slug').fill('נועה');
    await buttonNamed(page, words.save).click();
    await page.locator('[data-path=slug][aria-invalid=true]:focus').waitFor();
    await at.look();
    const slug = `noa-${id.slice(-12)}`;
    await field('slug').fill(slug);
    await field('most_each').fill('4');
    // The switch of the confirmation follows automatic acceptance until somebody sets it.
    const confirms = page.getByRole('switch', { name: words.confirm });
    assert.equal(await confirms.isChecked(), false);
    await page.locator('[data-path=accept_by_itself]').check({ force: true });
    assert.equal(await confirms.isChecked(), true);
    await confirms.uncheck({ force: true });
    await buttonNamed(page, words.save).click();
    await page.getByRole('textbox', { name: words.link }).waitFor();
    const settings = await stored();
    assert.deepEqual([settings.open, settings.slug, settings.most_each], [true, slug, 4]);
    assert.deepEqual([settings.accept_by_itself, settings.confirm_email], [true, false]);
    assert.match(settings.answer_until, /T2[01]:59:00/);
    await buttonNamed(page, words.qr).click();
    await page.getByRole('img', { name: words.qr }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: words.link }).inputValue(), settings.open_url);
    await at.look();
    // It has a name from now on.
    await field('slug').fill('');
    await buttonNamed(page, words.save).click();
    await page.locator('[data-path=slug][aria-invalid=true]:focus').waitFor();
    await field('slug').fill(slug);
    // Somebody else changes something else meanwhile: both are kept, and nothing is asked.
    await session.call('PUT', `/api/events/${id}/rsvp`, { body: { meals: false } });
    await field('most_each').fill('2');
    await buttonNamed(page, words.save).click();
    await until(async () => (await stored()).most_each === 2);
    assert.equal((await stored()).meals, false);
  });

  testInLane(
    `an agenda is created and edited, and an item of it removed and restored, on a ${look}`,
    async () => {
      const plan = await newUserEvent();
      const { session, id } = plan;
      const stored = async () => (await session.call('GET', `/api/events/${id}/agenda`)).body.items;
      await using at = await visitAt(plan, look, 'invitation?part=agenda');
      const { page } = at;
      const field = (name: string) => page.locator(`[data-path=${name}]`);
      await buttonNamed(page, words.add).waitFor();
      await at.look();
      await buttonNamed(page, words.add).click();
      await page.waitForURL('**item=new');
      await buttonNamed(page, words.addNow).click();
      await page.locator('[data-path=item_title][aria-invalid=true]:focus').waitFor();
      await field('item_title').fill('חופה');
      await field('end_time').fill('00:30');
      await page.reload();
      assert.equal(await field('item_title').inputValue(), 'חופה');
      await at.look();
      await buttonNamed(page, words.addNow).click();
      await buttonNamed(page, `${words.change}\u2068חופה\u2069`).click();
      const [chuppah] = await stored();
      assert.deepEqual(
        [chuppah.title, chuppah.starts_at, chuppah.ends_at],
        ['חופה', '2099-06-15T16:30:00.000Z', '2099-06-15T21:30:00.000Z'],
      );
      await page.waitForURL(`**item=${chuppah.id}`);
      await field('time').fill('20:15');
      await field('place').fill('בגן');
      await at.look();
      await buttonNamed(page, words.save).click();
      await page.getByText('בגן').waitFor();
      const [changed] = await stored();
      assert.deepEqual([changed.starts_at, changed.place], ['2099-06-15T17:15:00.000Z', 'בגן']);
      await buttonNamed(page, `${words.remove}\u2068חופה\u2069`).click();
      await buttonNamed(page, words.undo).click();
      await page.getByText('בגן').waitFor();
      const [again, ...others] = await stored();
      assert.deepEqual([again.title, again.starts_at, others], ['חופה', '2099-06-15T17:15:00.000Z', []]);
      await at.look();
    },
  );
}

testInLane('an invitation is written and previewed on an Arabic phone', async () => {
  const plan = await newUserEvent({ language_pref: 'arabic' });
  const { session, id, server } = plan;
  await using at = await visitConsole(server, LOOKS.arabic, { session, path: `/events/${id}/invitation` });
  const { page } = at;
  await page.locator('[data-path=hosts_arabic]').fill('ليلى وسامر');
  await buttonNamed(page, 'حفظ').click();
  await page.getByText('تم الحفظ.').waitFor();
  await at.look();
  await sectionLink(page, 'الردود').click();
  await page.getByRole('switch', { name: 'رابط مفتوح' }).waitFor();
  await at.look();
  await sectionLink(page, 'البرنامج').click();
  await buttonNamed(page, 'إضافة إلى البرنامج').waitFor();
  await at.look();
  await sectionLink(page, 'كيف تبدو').click();
  await page.frameLocator('iframe').getByText('ليلى وسامر').waitFor();
  await at.look();
  const { invitation } = (await session.call('GET', `/api/events/${id}/invitation`)).body;
  assert.deepEqual(invitation.hosts, { arabic: 'ليلى وسامر' });
});

testInLane('a viewer sees the invitation, and no button that the server would refuse', async () => {
  const plan = await newUserEvent();
  const { session, id, server } = plan;
  const path = `/api/events/${id}`;
  await session.call('PUT', `${path}/invitation`, { body: { hosts: 'Noa' } });
  await session.call('PUT', `${path}/rsvp`, { body: { open: true } });
  const item = { title: 'Chuppah', starts_at: '2099-06-15T20:00' };
  await session.call('POST', `${path}/agenda`, { body: item });
  const other = await newSession(server);
  await session.call('POST', `${path}/co-organizers`, { body: { email: other.email, access: 'view' } });
  await using at = await visitConsole(server, LOOKS.desk, {
    session: other,
    path: `/events/${id}/invitation`,
  });
  const { page } = at;
  await page.locator('[data-path=hosts_hebrew]:disabled').waitFor();
  await page.frameLocator('iframe').getByText('Noa').first().waitFor();
  assert.equal(await buttonNamed(page, 'Save').count(), 0);
  assert.equal(await page.locator('input[type=file]').count(), 0);
  await at.look();
  await sectionLink(page, 'Replies').click();
  await page.getByRole('textbox', { name: 'Open link' }).waitFor();
  assert.equal(await buttonNamed(page, 'Save').count(), 0);
  await at.look();
  await sectionLink(page, 'Agenda').click();
  await page.locator('main').getByText('Chuppah').waitFor();
  assert.equal(await page.getByRole('button', { name: /Chuppah|Add/ }).count(), 0);
  await at.look();
});
