import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DockerfileSupport } from '../../kernel/config.ts';
import type { PlanSettings, Source } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason } from '../model/reasons/reason.ts';
import { describeFinding } from './findings.ts';
import { planOf } from './planner.ts';

const source = (texts: Record<string, string>): Source => ({
  files: new Set(Object.keys(texts)),
  folders: new Set(),
  texts,
});
const PACKAGE = { 'package.json': '{"scripts":{"start":"node server.js"}}' };
const OWN = { Dockerfile: 'FROM a' };
const plan = (
  texts: Record<string, string>,
  settings: PlanSettings = {},
  dockerfiles: DockerfileSupport = 'built',
) => planOf(source(texts), settings, { dockerfiles });
const said = (...given: Parameters<typeof plan>) =>
  plan(...given).findings.map((finding) => describeFinding(finding, 'en'));

test('a Dockerfile in the root goes before all that would be found', () => {
  const { build, run, findings } = plan({ ...OWN, ...PACKAGE });
  assert.deepEqual(build, { kind: 'server', steps: [], publish: [], dockerfile: { file: 'Dockerfile' } });
  assert.deepEqual(run, { processes: { web: '' } });
  assert.deepEqual(findings, [{ kind: 'line', line: 'dockerfile', value: 'Dockerfile', by: 'files' }]);
  assert.ok(plan({ ...OWN, 'index.html': '' }).build.dockerfile);
  assert.ok(plan({ ...OWN, 'package.json': '{' }).build.dockerfile);
  assert.equal(plan(PACKAGE).build.dockerfile, undefined);
});

test('what runs of its image is what is named, and its own command else', () => {
  const Procfile = 'worker: work\nrelease: migrate';
  const cron = [{ name: 'a', schedule: '@daily', command: 'tidy' }];
  const file = JSON.stringify({ port: 3000, health: '/up', cron });
  const { run } = plan({ ...OWN, Procfile, 'simcha.json': file });
  assert.deepEqual(run, {
    processes: { worker: 'work', web: '' },
    port: 3000,
    health: '/up',
    release: 'migrate',
    cron,
  });
  assert.equal(plan({ ...OWN, Procfile: 'web: serve' }).run.processes.web, 'serve');
  assert.equal(plan(OWN, { start: 'mine', port: 80 }).run.processes.web, 'mine');
});

test('simcha.json names a Dockerfile, its stage and its arguments, or says that there is none', () => {
  const named = { dockerfile: './docker/web.Dockerfile', target: 'web', args: { VERSION: '22' } };
  const { build, findings } = plan({ ...PACKAGE, 'simcha.json': JSON.stringify(named) });
  const { target, args } = named;
  assert.deepEqual(build.dockerfile, { file: 'docker/web.Dockerfile', target, args });
  assert.deepEqual(
    findings.map((one) => 'line' in one && [one.line, 'value' in one && one.value]),
    [
      ['dockerfile', 'docker/web.Dockerfile'],
      ['target', 'web'],
      ['args', 'VERSION'],
    ],
  );
  assert.deepEqual(plan({ 'simcha.json': '{"target":"web"}' }).build.dockerfile, {
    file: 'Dockerfile',
    target: 'web',
  });
  const none = plan({ ...OWN, ...PACKAGE, 'simcha.json': '{"dockerfile":false}' });
  assert.equal(none.build.dockerfile, undefined);
  assert.equal(none.run.processes.web, 'node server.js');
  assert.ok(none.findings.every(({ kind }) => kind === 'line'));
});

test('who says how the site is made otherwise is heard, settings first', () => {
  const idle = said({ ...OWN, ...PACKAGE }, { build: 'make' });
  assert.equal(
    idle[0],
    'There is a Dockerfile, but it is not used: build is set elsewhere (the application’s settings).',
  );
  assert.equal(plan({ ...OWN, ...PACKAGE, 'simcha.json': '{"install":""}' }).build.dockerfile, undefined);
  assert.equal(plan({ ...OWN, 'index.html': '' }, { type: 'static' }).build.kind, 'static');
  const both = {
    ...OWN,
    ...PACKAGE,
    'simcha.json': '{"dockerfile":"Dockerfile","build":"make","node":"22"}',
  };
  assert.ok(said(both).includes('build: make is ignored, because the site is built from its Dockerfile.'));
  assert.ok(
    said(both, { node: '24' }).includes(
      'node: 24 is ignored, because the site is built from its Dockerfile.',
    ),
  );
  assert.equal(plan(both, { publish: 'site' }).build.dockerfile, undefined);
});

test('where nothing is built by Dockerfiles, one is passed over aloud', () => {
  const passed =
    /^There is a Dockerfile, but Dockerfiles are not built here: .* Docker containers, .*APPS_DOCKERFILES/;
  assert.match(said({ ...OWN, ...PACKAGE }, {}, 'off')[0] ?? '', passed);
  assert.equal(plan({ ...OWN, ...PACKAGE }, {}, 'off').run.processes.web, 'node server.js');
  const why = (texts: Record<string, string>) => {
    try {
      plan(texts, {}, 'off');
    } catch (error) {
      assert.ok(error instanceof RuntimeFailure, String(error));
      return describeReason(error.reason, 'en');
    }
    assert.fail('there is a plan');
  };
  assert.match(why(OWN), /^This server does not build the Dockerfile: .* There is nothing here to build/);
  assert.match(
    why({ ...OWN, 'requirements.txt': '' }),
    /does not build the Dockerfile: .* This is a Python application/,
  );
  assert.match(why({ ...OWN, 'simcha.json': '{' }), /^simcha\.json can’t be read/);
});

test('where anybody may register, a Dockerfile is not built, and the operator can change that', () => {
  const passed = /^There is a Dockerfile, but .* anyone can register \(REGISTRATION\).*APPS_DOCKERFILES=on/;
  assert.match(said({ ...OWN, ...PACKAGE }, {}, 'open_registration')[0] ?? '', passed);
  assert.throws(() => plan(OWN, {}, 'open_registration'), {
    reason: { code: 'dockerfile_untrusted', params: { file: 'Dockerfile' } },
  });
});

test('what simcha.json may not say of a Dockerfile is refused', () => {
  for (const [given, of] of [
    [{ dockerfile: '../Dockerfile' }, /"dockerfile": must be a file inside/],
    [{ dockerfile: true }, /"dockerfile"/],
    [{ dockerfile: '.' }, /"dockerfile"/],
    [{ target: 'a b' }, /"target": must be the name of a stage/],
    [{ args: { 'A-B': '1' } }, /"args": must be an object of up to 50 strings/],
    [{ args: { A: 1 } }, /"args"/],
    [{ args: [] }, /"args"/],
  ] as const)
    assert.throws(() => plan({ 'simcha.json': JSON.stringify(given) }), of);
});
