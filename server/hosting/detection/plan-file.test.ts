import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason } from '../model/reasons/reason.ts';
import { readPlanFile } from './plan-file.ts';
import { readProcfile } from './procfile.ts';

const refused = (given: unknown) => {
  try {
    readPlanFile(typeof given === 'string' ? given : JSON.stringify(given));
  } catch (error) {
    assert.ok(error instanceof RuntimeFailure, String(error));
    return describeReason(error.reason, 'en');
  }
  assert.fail(`${JSON.stringify(given)} was taken`);
};

test('a simcha.json says each line of a plan', () => {
  const cron = [{ name: 'clean', schedule: '30 4 * * *', command: 'node clean.js' }];
  const given = {
    $schema: 'https://example.com/simcha.json',
    type: 'server',
    install: '',
    build: 'make',
    publish: './site/',
    spa: 'auto',
    port: 3000,
    health: '/up',
    processes: { web: 'node .', worker: 'node w' },
    release: 'node migrate',
    cron,
    caches: ['./.cache/', 'a/b', '.cache'],
  };
  const { $schema: _, ...read } = given;
  assert.deepEqual(readPlanFile(JSON.stringify(given)), {
    ...read,
    publish: 'site',
    caches: ['.cache', 'a/b'],
  });
  assert.deepEqual(readPlanFile('\uFEFF{"start":"node a"}'), { processes: { web: 'node a' } });
});

test('what a simcha.json may not say is refused by its field, with what is taken', () => {
  assert.match(refused('{'), /^simcha\.json can’t be read: /);
  assert.match(refused([]), /"simcha\.json": must be an object/);
  assert.match(
    refused({ ports: 3000 }),
    /unknown field, "ports"\. Known fields: type, node, install, .*cron/,
  );
  for (const [given, said] of [
    [{ type: 'docker' }, /"type": must be one of: static, server, auto/],
    [{ build: ['a'] }, /"build": must be a command/],
    [{ start: 'a\nb' }, /"start": must be a command/],
    [{ publish: '../up' }, /"publish": must be a folder inside/],
    [{ publish: '/etc' }, /"publish": must be a folder inside/],
    [{ publish: 'dist/*' }, /"publish": must be a folder inside/],
    [{ spa: 'yes' }, /"spa": must be one of: true, false, "auto"/],
    [{ port: '3000' }, /"port": must be a whole number from 1 to 65535/],
    [{ port: 0 }, /"port"/],
    [{ health: '//x' }, /"health": must be a path/],
    [{ processes: { Web: 'a' } }, /"processes\.Web": must be the name of a process/],
    [{ processes: 'a' }, /"processes": must be an object/],
    [{ start: 'a', processes: { web: 'b' } }, /"start": set either start or processes\.web/],
    [{ cron: {} }, /"cron": must be a list/],
    [{ caches: '.cache' }, /"caches": must be a list of up to 20 folders inside/],
    [{ caches: ['.cache', '../up'] }, /"caches": must be a list/],
    [{ caches: ['.'] }, /"caches": must be a list/],
    [{ caches: Array.from({ length: 21 }, (_, n) => `c${n}`) }, /"caches": must be a list/],
    [{ cron: [{ name: 'a', schedule: '* * * * *' }] }, /"cron\[0\]\.command": must be a command/],
    [{ cron: [{ name: 'a', every: '1d' }] }, /"cron\[0\]\.every"/],
  ] as const) {
    assert.match(refused(given), said);
  }
  for (const schedule of ['* * * * * *', 'daily', '61 * * * *', '0 0 30 2 *', '2027-01-01T00:00:00']) {
    assert.match(
      refused({ cron: [{ name: 'a', schedule, command: 'b' }] }),
      /"cron\[0\]\.schedule"/,
      schedule,
    );
  }
  const job = { name: 'a', schedule: '@daily', command: 'b' };
  assert.match(refused({ cron: [job, job] }), /"cron\[1\]\.name": each job must have a unique name/);
});

test('each line of a Procfile is a process, and one of them the release', () => {
  assert.deepEqual(readProcfile('# ours\nweb: a\r\nworker-2:  b c  \nrelease: d\n\n  # nothing\n'), {
    processes: { web: 'a', 'worker-2': 'b c' },
    release: 'd',
  });
  assert.throws(() => readProcfile('Web: a'), /process name "Web" in the Procfile is invalid/);
  assert.throws(() => readProcfile('web: a\nworker b'), /Line 2 of the Procfile is invalid: “worker b”/);
});
