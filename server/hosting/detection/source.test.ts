import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { planOf } from './planner.ts';
import { readSource } from './source.ts';

async function checkout(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-source-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
const planned = async (folder: string, root = '') => {
  const { build, run } = planOf(await readSource(folder, root), {});
  return { last: build.steps.at(-1)?.command, web: run.processes.web };
};

const PACKAGE = (name: string) => `[package]\nname = "${name}"\n`;

test('the packages of a Cargo workspace are read where its manifest says, and its lockfile counts for each', async () => {
  await using at = await checkout({
    'Cargo.toml': '[workspace]\nmembers = ["crates/*", "tool", "../outside"]\n',
    'Cargo.lock': '',
    'crates/site/Cargo.toml': PACKAGE('site'),
    'crates/site/src/bin/web/main.rs': '',
    'crates/guests/Cargo.toml': PACKAGE('guests'),
    'crates/guests/src/lib.rs': '',
    'tool/Cargo.toml': PACKAGE('tool'),
    'tool/src/lib.rs': '',
    'alone/Cargo.toml': PACKAGE('alone'),
    'alone/src/main.rs': '',
  });
  const whole = await planned(at.folder);
  assert.match(whole.last ?? '', /^cargo install --locked --path crates\/site /);
  assert.equal(whole.web, './target/release/web');
  const part = await planned(at.folder, 'crates/site');
  assert.match(part.last ?? '', /^cargo install --locked --path \. /);
});

test('a lockfile above counts for a workspace alone', async () => {
  const project = '[project]\nname = "x"\nversion = "1"\ndependencies = ["flask", "gunicorn"]\n';
  const app = 'from flask import Flask\napp = Flask(__name__)\n';
  for (const [above, option] of [
    ['[tool.uv.workspace]\nmembers = ["apps/*"]\n', ' --locked'],
    ['[tool.uv]\n', ''],
  ] as const) {
    await using at = await checkout({
      'uv.lock': '',
      'pyproject.toml': above,
      'apps/web/pyproject.toml': project,
      'apps/web/app.py': app,
    });
    const { last } = await planned(at.folder, 'apps/web');
    assert.match(last ?? '', new RegExp(`uv sync${option} --no-dev$`));
  }
});

test('the settings that manage.py names, and what requirements.txt includes, are read', async () => {
  await using at = await checkout({
    'requirements.txt': '-r requirements/production.txt\n-r ../secret.txt\n',
    'requirements/production.txt': 'django\ngunicorn\nwhitenoise\n',
    'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'config.settings.production')",
    'config/settings/production.py': 'from .base import *\n',
    'config/settings/base.py': "STATIC_ROOT = 'static'\n",
  });
  const { last, web } = await planned(at.folder);
  assert.equal(last, '.venv/bin/python manage.py collectstatic --noinput');
  assert.match(web ?? '', /^gunicorn config\.wsgi /);
});

test('a link to a folder outside of the source is not followed', async () => {
  await using outside = await checkout({ 'site/Cargo.toml': PACKAGE('site'), 'site/src/main.rs': '' });
  await using at = await checkout({ 'Cargo.toml': '[workspace]\nmembers = ["crates/*", "link"]\n' });
  await symlink(outside.folder, join(at.folder, 'crates'));
  await symlink(join(outside.folder, 'site'), join(at.folder, 'link'));
  const { files, texts } = await readSource(at.folder);
  assert.deepEqual([[...files], Object.keys(texts)], [['Cargo.toml'], ['Cargo.toml']]);
});

test('a program of Go is recognised by any file in the root', async () => {
  await using at = await checkout({
    'go.mod': 'module example.com/hall\n',
    'hall_test.go': 'package main\n',
    'serve.go': '// Package main serves.\npackage main\n',
  });
  assert.deepEqual(await planned(at.folder), { last: 'go build -o bin/ .', web: './bin/hall' });
});
