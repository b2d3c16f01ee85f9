import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { extract } from 'tar-stream';
import { sourceOfArchive, sourceOfFolder } from '../../web/src/lib/folder-source.ts';

const file = (path: string, content = path) => ({
  path,
  file: new File([content], path.split('/').at(-1) ?? ''),
});

async function entriesOf(archive: Blob): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const tar = extract();
  tar.on('entry', (header, stream, next) => {
    text(stream).then((content) => {
      found[header.name] = content;
      next();
    });
  });
  const ended = once(tar, 'finish');
  tar.end(Buffer.from(await archive.arrayBuffer()));
  await ended;
  return found;
}

test('a chosen folder becomes a tar archive, without what no server needs', async () => {
  const long = `${'long/'.repeat(30)}file.txt`;
  const source = sourceOfFolder([
    file('site/index.html', 'x'.repeat(700)),
    file('site/תפריט.txt', 'עוגה'),
    file(`site/${long}`, ''),
    file('site/.env'),
    file('site/.env.example'),
    file('site/node_modules/a/index.js'),
    file('site/sub/.git/config'),
    file('site/sub/.gitignore'),
  ]);
  assert.deepEqual([source?.name, source?.files], ['site', 5]);
  assert.deepEqual(await entriesOf(source?.archive ?? new Blob()), {
    '.env.example': 'site/.env.example',
    'index.html': 'x'.repeat(700),
    [long]: '',
    'sub/.gitignore': 'site/sub/.gitignore',
    'תפריט.txt': 'עוגה',
  });
  assert.equal(sourceOfFolder([]), undefined);
  assert.equal(sourceOfFolder([file('site/.git/config')]), undefined);
});

test('an archive is uploaded as it is, and any other file is refused', () => {
  for (const name of ['site.zip', 'site.tar', 'site.tgz', 'site.tar.gz'])
    assert.equal(sourceOfArchive(new File(['x'], name))?.name, 'site');
  assert.equal(sourceOfArchive(new File(['x'], 'site.pdf')), undefined);
});
