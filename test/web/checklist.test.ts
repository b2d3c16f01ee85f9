import { test } from 'node:test';
import { until } from '../support/until.ts';
import { buttonNamed, newUserEvent, visitAt } from './event-page.ts';
import { looksOf } from './looks.ts';

// What an event should have, and how far that is.

const WORDS = {
  phone: {
    undo: 'ביטול',
    save: 'שמירה',
    outdoors: 'בחוץ',
    done: 'הושלם',
    dismiss: 'לא רלוונטי',
    capacity: 'תפוסת המקום',
    dismissAll: 'לא צריך את הרשימה',
    restoreAll: 'שחזור הרשימה',
    addNote: 'הוספת הערה',
    police: 'תיאום עם המשטרה',
  },
  desk: {
    undo: 'Undo',
    save: 'Save',
    outdoors: 'Outdoors',
    done: 'Done',
    dismiss: 'Not relevant',
    capacity: 'The venue’s capacity',
    dismissAll: 'We don’t need this list',
    restoreAll: 'Restore the list',
    addNote: 'Add note',
    police: 'Coordination with the police',
  },
} as const;

for (const look of looksOf(import.meta.url, 'phone', 'desk')) {
  const words = WORDS[look];

  test(`a checklist follows the event’s facts, is completed and dismissed, on a ${look}`, async () => {
    const plan = await newUserEvent({ venue_capacity: 200 });
    const { session, id } = plan;
    const read = async () => (await session.call('GET', `/api/events/${id}/checklist`)).body.checklist;
    const item = async (name: string) =>
      (await read()).items.find((one: { item: string }) => one.item === name);
    await using at = await visitAt(plan, look, 'checklist');
    const { page } = at;
    await page.getByRole('switch', { name: words.outdoors }).click();
    const police = page.getByRole('article', { name: words.police });
    await police.waitFor();
    await police.getByRole('button', { name: words.addNote }).click();
    await police.getByRole('textbox').fill('דנה מטפלת');
    await at.look();
    await police.getByRole('button', { name: words.save }).click();
    await until(async () => (await item('police')).note === 'דנה מטפלת');
    await police.getByText(words.done, { exact: true }).click();
    await until(async () => (await item('police')).state === 'done');
    const capacity = page.getByRole('article', { name: words.capacity });
    await capacity.getByRole('button', { name: words.dismiss }).click();
    await until(async () => (await item('capacity')).dismissed);
    const told = page.getByRole('alert').filter({ hasText: words.capacity });
    await told.getByRole('button', { name: words.undo }).click();
    await until(async () => !(await item('capacity')).dismissed);
    await buttonNamed(page, words.dismissAll).click();
    await buttonNamed(page, words.restoreAll).waitFor();
    await at.look();
    await buttonNamed(page, words.restoreAll).click();
    await until(async () => !(await read()).dismissed);
  });
}
