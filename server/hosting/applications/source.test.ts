import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldProblem } from '../../kernel/fields.ts';
import { parseImageName } from '../model/image-name.ts';
import { settleSource } from './source.ts';

const image = parseImageName('ghcr.io/who/app:1');
const moved = parseImageName('quay.io/who/app:1');
const repository = { address: 'https://example.com/a.git' };
const NO_IMAGE = { image: null, registry_user: null, registry_password: null };
const NO_LOGIN = { registry_user: null, registry_password: null };
const LOGIN = { registry_user: 'noa', registry_password: 'secret' };

const BEFORE = {
  repository: { repository: 'https://example.com/a.git', image: null },
  upload: { repository: null, image: null },
  image: { repository: null, image: 'ghcr.io/who/app:1' },
};

const LOGGED_IN = { ...BEFORE.image, registry_user: 'noa' };

test('a change of a source takes the fields of the other sources with it', () => {
  const cleared = { repository: null, branch: null, previews: 'off' };
  for (const [changes, before, expected] of [
    [{ repository }, undefined, { repository, ...NO_IMAGE }],
    [{ source: 'upload' }, undefined, { repository: null, ...NO_IMAGE }],
    [{ image }, undefined, { image, repository: null, ...NO_LOGIN }],
    [{ image, ...LOGIN }, undefined, { image, repository: null, ...LOGIN }],
    [{ source: 'image', image }, BEFORE.repository, { image, ...cleared, ...NO_LOGIN }],
    [{ image }, BEFORE.upload, { image, ...cleared, ...NO_LOGIN }],
    [{ repository }, BEFORE.image, { repository, ...NO_IMAGE }],
    [{ source: 'upload' }, BEFORE.image, { ...cleared, ...NO_IMAGE }],
    [{ branch: 'main' }, BEFORE.repository, { branch: 'main', ...NO_IMAGE }],
    // A login stays with its registry.
    [{}, BEFORE.image, cleared],
    [{ image }, BEFORE.image, { image, ...cleared }],
    [{ image: moved }, BEFORE.image, { image: moved, ...cleared, ...NO_LOGIN }],
    [{ image: moved, ...LOGIN }, BEFORE.image, { image: moved, ...cleared, ...LOGIN }],
    [{ registry_user: null }, BEFORE.image, { ...cleared, ...NO_LOGIN }],
    [{ registry_password: 'new' }, LOGGED_IN, { ...cleared, registry_user: 'noa', registry_password: 'new' }],
    [{ registry_user: 'noa' }, LOGGED_IN, { ...cleared, registry_user: 'noa' }],
    [{ ...LOGIN, registry_user: 'other' }, LOGGED_IN, { ...cleared, ...LOGIN, registry_user: 'other' }],
    [{ registry_password: null }, BEFORE.image, { ...cleared, ...NO_LOGIN }],
  ] as const)
    assert.deepEqual(settleSource(changes, before), expected, JSON.stringify([changes, before]));
});

test('fields of another source, and a source without its name, are refused by field', () => {
  for (const [changes, before, field] of [
    [{}, undefined, 'repository'],
    [{ source: 'image' }, undefined, 'image'],
    [{ source: 'image', image: null }, BEFORE.image, 'image'],
    [{ image: null }, BEFORE.image, 'image'],
    [{ repository: null }, BEFORE.repository, 'repository'],
    [{ repository, image }, undefined, 'image'],
    [{ source: 'image', image, repository }, undefined, 'repository'],
    [{ source: 'upload', image }, undefined, 'image'],
    [{ image, branch: 'main' }, undefined, 'branch'],
    [{ previews: 'branches' }, BEFORE.image, 'previews'],
    [{ ...LOGIN }, BEFORE.repository, 'registry_user'],
    [{ ...LOGIN }, BEFORE.upload, 'registry_user'],
    [{ image, registry_user: 'noa' }, undefined, 'registry_password'],
    [{ image, registry_user: 'noa', registry_password: null }, undefined, 'registry_password'],
    [{ image, registry_password: 'secret' }, undefined, 'registry_user'],
    [{ registry_user: 'other' }, LOGGED_IN, 'registry_password'],
    [{ registry_user: null, registry_password: 'secret' }, LOGGED_IN, 'registry_user'],
    [{ image: moved, registry_password: 'secret' }, LOGGED_IN, 'registry_user'],
    [{ image: moved, registry_user: 'noa' }, LOGGED_IN, 'registry_password'],
  ] as const)
    assert.throws(
      () => settleSource(changes, before),
      (error) => error instanceof FieldProblem && error.field === field,
      JSON.stringify(changes),
    );
});
