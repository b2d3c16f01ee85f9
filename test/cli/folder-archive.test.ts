import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { archiveFolder } from '../../cli/src/folder-archive.ts';

/** Entries of a tar.gz: path, and content or target; executable files with a star. */
async function entriesOf(content: Blob): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  const tar = extract();
  tar.end(gunzipSync(Buffer.from(await content.arrayBuffer())));
  for await (const entry of tar) {
    const { name, type, linkname, mode = 0 } = entry.header;
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const text = type === 'symlink' ? `-> ${linkname}` : Buffer.concat(chunks).toString('utf8');
    entries[`${name}${type !== 'symlink' && mode & 0o100 ? '*' : ''}`] = text;
  }
  return entries;
}

test('a folder is packed without what its ignore files name, packages, version control and secrets', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-folder-'));
  const files: Record<string, string> = {
    'package.json': '{}',
    'empty.txt': '',
    'עוגה/מתכון.md': 'sugar',
    'bin/start': '#!/bin/sh',
    '.gitignore': 'dist/\n*.log\n!keep.log\n',
    'a.log': 'x',
    'keep.log': 'kept',
    'dist/index.html': 'x',
    'docs/.gitignore': 'draft*\n!*.log',
    'docs/draft.md': 'x',
    'docs/b.log': 'kept by the inner file',
    '.simchaignore': '/photos\n',
    'photos/large.jpg': 'x',
    'node_modules/a/index.js': 'x',
    '.git/HEAD': 'x',
    '.simcha.json': '{}',
    '.env': 'SECRET=1',
    'sub/.env.production': 'SECRET=2',
    '.env.example': 'SECRET=',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  await chmod(join(folder.path, 'bin/start'), 0o755);
  await symlink('package.json', join(folder.path, 'link.json'));
  const archive = await archiveFolder(folder.path);
  assert.deepEqual(await entriesOf(archive.content), {
    '.env.example': 'SECRET=',
    '.gitignore': files['.gitignore'],
    '.simchaignore': files['.simchaignore'],
    'bin/start*': '#!/bin/sh',
    'docs/.gitignore': files['docs/.gitignore'],
    'docs/b.log': 'kept by the inner file',
    'empty.txt': '',
    'keep.log': 'kept',
    'link.json': '-> package.json',
    'package.json': '{}',
    'עוגה/מתכון.md': 'sugar',
  });
  assert.deepEqual(archive.secrets, ['.env', 'sub/.env.production']);
  assert.equal(archive.files, 11);
  const again = await archiveFolder(folder.path);
  assert.deepEqual(await again.content.bytes(), await archive.content.bytes());
});
