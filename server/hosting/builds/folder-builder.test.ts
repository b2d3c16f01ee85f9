import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { openTestSandbox } from '../../../test/support/sandbox.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Program } from '../model/plan.ts';
import { siteFolders } from '../model/site-folders.ts';
import { FolderBuilder } from './folder-builder.ts';
import { NodeVersions } from './node-versions.ts';
import { createTrash } from './trash.ts';

test('what the machine has not got is said before anything is built', async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'simcha-builder-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const sandbox = await openTestSandbox(join(folder, 'sandbox'));
  opened.defer(() => sandbox.close());
  const folders = siteFolders(folder);
  const trash = createTrash(folders.trash, pino({ level: 'silent' }));
  const nodes = new NodeVersions({ sandbox, folders, trash, memoryMb: 512 });
  const builder = new FolderBuilder(
    { appsBuildSeconds: 60, appsBuildMemoryMb: 512, appsDiskMb: 64 },
    { sandbox, folders, nodes, trash },
  );
  opened.defer(() => builder.close());

  const build = async (program: Partial<Program>) => {
    const name = { applicationId: newId(), buildId: newId() };
    const { signal } = new AbortController();
    await builder.workspace(name, signal);
    const log: string[] = [];
    const programs = [{ name: 'Python', package: 'python3-venv', check: 'echo 3.11.2', ...program }];
    const ended = builder.build({
      ...name,
      plan: { kind: 'server', steps: [{ name: 'build', command: 'echo built' }], publish: [], programs },
      facts: { address: 'http://site.localhost', commit: 'c', deploymentId: 'd', preview: null },
      root: '',
      variables: {},
      buildLog: {
        hide: (line) => line,
        write: (line) => log.push(line),
        output: (lines) => log.push(...lines),
        step: (_, work) => work(),
      },
      signal,
      effect: (work) => work(),
    });
    const failure = await ended.then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { log, failure };
  };

  assert.deepEqual(await build({}), { failure: undefined, log: ['Python: 3.11.2', '$ echo built', 'built'] });

  const missing = await build({ check: 'no-such-program --version' });
  assert.match(missing.failure ?? '', /^Python is required, .*: apt-get install python3-venv\.$/);
  assert.match(missing.log.join('\n'), /no-such-program: not found/);

  const pinned = await build({ asked: [{ version: '3.13', by: '.python-version', isBound: false }] });
  assert.equal(pinned.failure, undefined);
  assert.equal(
    pinned.log[1],
    '.python-version asks for Python 3.13; this machine has 3.11.2, which is used instead.',
  );

  const bound = await build({ asked: [{ version: '>=3.12', by: 'pyproject.toml', isBound: true }] });
  assert.equal(
    bound.failure,
    'pyproject.toml requires Python >=3.12, but the machine that runs the sites has 3.11.2. Require a version that it has, or ask the operator to install one.',
  );
});
