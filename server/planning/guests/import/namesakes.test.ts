import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_DETAILS } from '../fields.ts';
import { areDifferentPeople, namesakeContactsOf } from './namesakes.ts';

const [OLD, NEW, MAIL] = ['+972501112202', '+972501112299', 'a@example.com'];

test('a row of a guest’s name is told from the guest only by contacts that the file still has', () => {
  for (const [guest, file, isRowReachable, expected] of [
    [{ phone: OLD }, [NEW], true, false],
    [{ phone: OLD }, [NEW, OLD], true, true],
    [{ phone: OLD }, [NEW, OLD], false, false],
    [{ phone: OLD, other_phones: [NEW] }, [NEW], true, true],
    [{ phone: OLD, email: MAIL }, [NEW, MAIL], true, true],
    [{ email: MAIL }, [NEW], true, false],
    [{}, [NEW], true, false],
    [{}, [], false, false],
  ] as const) {
    const contacts = namesakeContactsOf({ ...NO_DETAILS, ...(guest as object) }, (contact) =>
      (file as readonly string[]).includes(contact),
    );
    assert.equal(areDifferentPeople(contacts, isRowReachable), expected, JSON.stringify([guest, file]));
  }
});
