import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newId } from '../identifiers.ts';
import { createOutbox } from './outbox.ts';

test('what a killed server left half-written goes with a later delivery, and not what is being written', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-outbox-'));
  try {
    const outbox = createOutbox(dataDir);
    const transport = outbox.transport('Simcha <simcha@example.com>');
    const mail = { to: 'dana@example.com', subject: 's', text: 't', html: '<p>', language: 'he' as const };
    const id = newId();
    await transport.deliver(id, mail);
    const old = '.01900000-0000-7000-8000-000000000000';
    const fresh = `.${newId()}`;
    for (const name of [old, fresh]) await writeFile(join(outbox.folder, name), 'half');
    await transport.deliver(id, mail);
    assert.deepEqual((await readdir(outbox.folder)).sort(), [fresh, `${id}.eml`, `${id}.json`].sort());
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('a mail delivered by several at once is there once, whole, and nothing beside it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-outbox-'));
  try {
    const outbox = createOutbox(dataDir);
    const transport = outbox.transport('Simcha <simcha@example.com>');
    const mail = {
      to: 'dana@example.com',
      subject: 'שלום',
      text: 'טקסט',
      html: '<p>',
      language: 'he' as const,
    };
    const id = newId();
    await Promise.all(Array.from({ length: 20 }, () => transport.deliver(id, mail)));
    assert.deepEqual(await outbox.newest(5), [{ ...mail, id }]);
    assert.deepEqual((await readdir(outbox.folder)).sort(), [`${id}.eml`, `${id}.json`]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
