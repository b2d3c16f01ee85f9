import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileMail } from './compile.ts';

const content = { to: 'guest@example.com', language: 'he', subject: 's', text: 't', html: 'h' } as const;
const FROM = {
  'שמחה <simcha@example.com>': 'שמחה',
  '"Simcha, by the town" <simcha@example.com>': 'Simcha, by the town',
  'simcha@example.com': 'Simcha',
  '<simcha@example.com>': 'Simcha',
};

test('the sender is the installation, with those behind it for whom it sends', () => {
  for (const [from, name] of Object.entries(FROM)) {
    const of = (onBehalfOf?: string) =>
      compileMail('id', from, { ...content, ...(onBehalfOf && { onBehalfOf }) }).from;
    assert.deepEqual(of(), { name, address: 'simcha@example.com' });
    assert.deepEqual(of('דנה ויוסי'), { name: `${name} · דנה ויוסי`, address: 'simcha@example.com' });
  }
});
