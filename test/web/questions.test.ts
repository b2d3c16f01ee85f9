import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { readQuestionSearch } from '../../web/src/features/questions/api/search.ts';
import { newSession } from '../support/sessions.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { visitConsole } from './console.ts';
import { buttonNamed, newUserEvent, type UserEvent, visitAt } from './event-page.ts';
import { LOOKS, looksOf } from './looks.ts';

// What an event asks its guests, what it comes to, and the caterer's page.

const WORDS = {
  phone: {
    empty: 'מה עוד כדאי לדעת?',
    add: 'שאלה חדשה',
    question: 'השאלה',
    option: (n: number) => `תשובה ${n}`,
    more: 'עוד תשובה',
    two: 'צריך לפחות שתי תשובות.',
    ask: 'להוסיף את השאלה',
    other: 'English',
    otherQuestion: /^השאלה .*English/,
    number: 'מספר',
    most: 'המספר הגדול ביותר',
    save: 'שמירה',
    up: 'הזזה למעלה',
    askedOf: 'נשאלת: ',
    remove: 'מחיקת השאלה',
    goes: 'תשובה אחת של מי שמגיעים תימחק איתה',
    chosen: 'יש אורחים שבחרו',
    children: 'כמה מהם ילדים',
    meals: 'מנות מיוחדות ואלרגיות',
    names: 'השמות של כל מי שמגיע',
    choose: 'שמירת הבחירה',
    meanwhile: 'מישהו אחר שינה את זה',
    numbers: 'נתונים',
    caterer: 'קייטרינג',
    people: '3 אנשים מגיעים',
    morePeople: '4 אנשים מגיעים',
    printed: 'דוח לקייטרינג',
    print: 'הדפסה',
    download: 'הורדה כ־CSV',
    noNumbers: 'עוד אין נתונים',
    otherPage: 'Report for the caterer',
  },
  desk: {
    empty: 'What else would you like to know?',
    add: 'Add question',
    question: /^Question \(.*עברית/,
    option: (n: number) => `Option ${n}`,
    more: 'Add option',
    two: 'At least two options are needed.',
    ask: 'Add',
    other: 'English',
    otherQuestion: /^Question .*English/,
    number: 'Number',
    most: 'Largest number allowed',
    save: 'Save',
    up: 'Move up',
    askedOf: 'Asked: ',
    remove: 'Delete question',
    goes: 'One answer of a confirmed guest is deleted with it',
    chosen: 'Guests have chosen an option',
    children: 'How many are children',
    meals: 'Special meals and allergies',
    names: 'Names of everybody who comes',
    choose: 'Save choices',
    meanwhile: 'Someone else changed this while you were editing',
    numbers: 'Statistics',
    caterer: 'Catering',
    people: '3 people are coming',
    morePeople: '4 people are coming',
    printed: 'דוח לקייטרינג',
    print: 'Print',
    download: 'Download CSV',
    noNumbers: 'No statistics yet',
    otherPage: 'Report for the caterer',
  },
} as const;

const questionsOf = async ({ session, id }: UserEvent) =>
  (await session.call('GET', `/api/events/${id}/questions`)).body.questions;
const closed = (page: Page) => page.locator('.mantine-Drawer-overlay').waitFor({ state: 'detached' });

async function ask({ session, id }: UserEvent, body: object) {
  const { status, body: answer, text } = await session.call('POST', `/api/events/${id}/questions`, { body });
  assert.equal(status, 201, text);
  return answer.question;
}

async function guest({ session, id }: UserEvent, body: object) {
  const { status, text } = await session.call('POST', `/api/events/${id}/guests`, { body });
  assert.equal(status, 201, text);
}

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  test(`questions are added, edited, moved, stopped and deleted, on a ${look}`, async () => {
    const plan = await newUserEvent();
    await using at = await visitAt(plan, look, 'questions');
    const { page } = at;
    await page.getByText(words.empty).waitFor();
    await at.look();

    await buttonNamed(page, words.add).click();
    const question = page.getByRole('textbox', { name: words.question, exact: true });
    await question.fill('הסעה מחיפה?');
    await buttonNamed(page, words.ask).click();
    await page.getByText(words.two).waitFor();
    await at.look();
    const option = (n: number) => page.getByRole('textbox', { name: words.option(n), exact: true });
    await option(1).fill('כן');
    await option(2).fill('לא');
    await option(2).press('Enter');
    await option(3).fill('אולי');
    await page.reload();
    assert.equal(await option(3).inputValue(), 'אולי');
    await buttonNamed(page, words.other).click();
    await page.getByRole('textbox', { name: words.otherQuestion }).fill('A bus from Haifa?');
    // As its guests see it: in their language, and where there is none of it, in the event's.
    const preview = page.locator('div[lang=en][dir=ltr]', { has: page.locator('select') });
    await page.getByRole('dialog').getByText(words.other, { exact: true }).last().click();
    await preview.getByText('A bus from Haifa?').waitFor();
    assert.deepEqual(await preview.locator('option').allTextContents(), ['—', 'כן', 'לא', 'אולי']);
    await at.look();
    await buttonNamed(page, words.ask).click();
    await until(async () => (await questionsOf(plan)).length === 1);
    const [bus] = await questionsOf(plan);
    assert.deepEqual(bus.text, { hebrew: 'הסעה מחיפה?', english: 'A bus from Haifa?' });
    assert.deepEqual(
      bus.options.map(({ text }: { text: object }) => text),
      [{ hebrew: 'כן' }, { hebrew: 'לא' }, { hebrew: 'אולי' }],
    );
    await closed(page);

    await buttonNamed(page, words.add).click();
    await page.getByText(words.number, { exact: true }).click();
    await question.fill('כמה לילות?');
    await page.getByRole('textbox', { name: words.most }).fill('3');
    await buttonNamed(page, words.ask).click();
    await until(async () => (await questionsOf(plan))[1]?.most === 3);
    await closed(page);
    await at.look();

    // Moved by keyboard, which stays with it.
    await page.getByRole('button', { name: new RegExp(`^${words.up}: .*כמה לילות`) }).focus();
    await page.keyboard.press('Enter');
    await until(async () => (await questionsOf(plan))[0].kind === 'number');
    await page.locator('li:first-child button:focus').waitFor();
    await page.getByRole('switch', { name: new RegExp(`^${words.askedOf}.*כמה לילות`) }).click();
    await until(async () => (await questionsOf(plan))[0].asked === false);
    await page.getByRole('switch', { name: words.children }).click();
    await page.getByRole('switch', { name: words.meals }).click();
    await page.getByRole('switch', { name: words.names }).click();
    const rsvp = `/api/events/${plan.id}/rsvp`;
    await until(async () => {
      const { settings } = (await plan.session.call('GET', rsvp)).body;
      return settings.children === false && settings.meals === false && settings.ask_names === true;
    });

    // Changed here and elsewhere at once.
    await page.getByRole('link', { name: /לילות/ }).click();
    await question.fill('כמה לילות במלון?');
    const path = `/api/events/${plan.id}/questions`;
    const [nights] = await questionsOf(plan);
    const elsewhere = { text: { hebrew: 'כמה לילות תישארו?' }, most: 5 };
    assert.equal((await plan.session.call('PUT', `${path}/${nights.id}`, { body: elsewhere })).status, 200);
    await buttonNamed(page, words.save).click();
    await page.getByText(words.meanwhile).waitFor();
    await at.look();
    await buttonNamed(page, words.choose).click();
    await until(async () => (await questionsOf(plan))[0].text.hebrew === 'כמה לילות במלון?');
    assert.equal((await questionsOf(plan))[0].most, 5);
    await closed(page);

    // What somebody chose can't be taken away, and what goes with a question is told first.
    const [yes] = bus.options;
    await guest(plan, { name: 'Dana', rsvp_status: 'confirmed', answers: { [bus.id]: yes.id } });
    await page.getByRole('link', { name: look === 'phone' ? /הסעה/ : /bus/ }).click();
    await page.getByRole('textbox').nth(2).fill('');
    await page.getByRole('textbox').nth(3).fill('');
    await buttonNamed(page, words.save).click();
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: words.chosen }).waitFor();
    assert.equal((await questionsOf(plan))[1].options.length, 3);
    await buttonNamed(page, words.remove).click();
    await page.getByText(words.goes).waitFor();
    await at.look();
    await buttonNamed(page, words.remove).click();
    await until(async () => (await questionsOf(plan)).length === 1);
  });

  testInLane(
    `statistics follow the replies, and the catering report is printed and downloaded, on a ${look}`,
    async () => {
      const plan = await newUserEvent();
      const text = { hebrew: 'הסעה?' };
      const options = [{ text: 'כן' }, { text: 'לא' }];
      const bus = await ask(plan, { kind: 'choice', text, options });
      await using at = await visitAt(plan, look, 'questions?view=numbers');
      const { page } = at;
      await page.getByText(words.noNumbers).waitFor();
      await at.look();
      const coming = { rsvp_status: 'confirmed', answers: { [bus.id]: bus.options[0].id } };
      await guest(plan, {
        name: 'נועה',
        party_size: 3,
        party_children: 1,
        vegan: 1,
        tags: ['משפחה'],
        ...coming,
      });
      await page.getByText(words.people).waitFor();
      await guest(plan, { name: 'Ben', tags: ['work'], allergies: 'אגוזים', rsvp_status: 'confirmed' });
      await page.getByText(words.morePeople).waitFor();
      await page.getByRole('link', { name: 'Ben' }).waitFor();
      await at.look();
      // In the address, and there again after a reload.
      await buttonNamed(page, 'משפחה').click();
      await page.getByText(words.people).waitFor();
      await page.waitForURL(/tag=/);
      await page.reload();
      await page.getByText(words.people).waitFor();
      await at.look();

      await page.getByText(words.caterer, { exact: true }).click();
      const paper = page.frameLocator('iframe');
      await paper.getByText(words.printed).waitFor();
      await paper.getByText('אגוזים').waitFor();
      await at.look();
      // What a guest answers is on it by itself.
      await guest(plan, { name: 'סבתא', rsvp_status: 'confirmed', kosher: 1 });
      await paper.getByText('סבתא').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        buttonNamed(page, words.download).click(),
      ]);
      assert.equal(download.suggestedFilename(), 'caterer.csv');
      await at.context.addInitScript('globalThis.print = () => { document.title = "printed"; }');
      const [printed] = await Promise.all([
        page.waitForEvent('popup'),
        buttonNamed(page, words.print).click(),
      ]);
      await until(async () => (await printed.title()) === 'printed');
      await printed.getByText('אגוזים').waitFor();
      await printed.close();
      await page.getByText('English', { exact: true }).last().click();
      await page.waitForURL(/language=en/);
      await paper.getByText(words.otherPage).waitFor();
    },
  );
}

testInLane('a viewer sees all questions in Arabic, and changes nothing', async () => {
  const plan = await newUserEvent();
  const text = { hebrew: 'הסעה?', arabic: 'نقل من حيفا؟' };
  await ask(plan, { kind: 'choice', text, options: [{ text: 'نعم' }, { text: 'لا' }] });
  await ask(plan, { kind: 'text', text: 'אגדה?', asked: false });
  await guest(plan, { name: 'سامر', party_size: 2, rsvp_status: 'confirmed', vegetarian: 1, tags: ['أهل'] });
  const viewer = await newSession(plan.server);
  const path = `/api/events/${plan.id}`;
  const body = { email: viewer.email, access: 'view' };
  assert.ok((await plan.session.call('POST', `${path}/co-organizers`, { body })).status < 300);
  await using at = await visitConsole(plan.server, LOOKS.arabic, {
    session: viewer,
    path: `/events/${plan.id}/questions`,
  });
  const { page } = at;
  await page.getByRole('heading', { name: 'نقل من حيفا؟' }).waitFor();
  assert.equal(await page.getByRole('main').getByRole('button').count(), 0);
  assert.ok(await page.getByRole('switch').first().isDisabled());
  await at.look();
  await page.getByText('الإحصاءات', { exact: true }).click();
  await page.getByText('شخصان قادمان').waitFor();
  await at.look();
  await page.getByText('الكيترينغ', { exact: true }).click();
  await page.getByTitle('تقرير الكيترينغ').waitFor();
  await at.look();
});

test('unknown parameters in an address are ignored', () => {
  const given = { view: 'x', question: 5, tag: ['a', ''], food: ['vegan', 'stone'], language: 'fr' };
  const { tag, food, ...others } = readQuestionSearch(given);
  assert.deepEqual([tag, food], [['a'], ['vegan']]);
  assert.ok(Object.values(others).every((value) => value === undefined));
});
