import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '../../server/hosting/reasons/reason.ts';
import { openRuntime, start } from '../support/runtime.ts';

test('whatever a site may write to has a size', async () => {
  await using at = await openRuntime({ appsMemoryMb: 1024, appsDiskMb: 1024 });
  const fill = (folder: string) =>
    `head -c 300000000 /dev/zero > ${folder}/big 2>/dev/null && echo filled ${folder}; rm -f ${folder}/big`;
  const folders = ['/', '/dev', '/dev/shm', '/tmp', '/etc', '/home', '/runtime', '/run', '/var/tmp'];
  const { instance, lines } = await start(at.runtime, {
    files: {
      'try.sh': [...folders.map(fill), 'echo x > /tmp/x && echo x > /dev/shm/x && echo tried'].join('\n'),
    },
    settings: { start: 'sh try.sh 2>/dev/null' },
  });
  await instance.ended;
  assert.deepEqual(lines, ['tried']);
});

test('a site that fills its home is ended, and told so', async () => {
  await using at = await openRuntime({ appsDiskMb: 16 });
  const { instance } = await start(at.runtime, {
    files: { 'x.js': '' },
    settings: { start: 'for i in 1 2 3; do head -c 9000000 /dev/zero > ~/$i; done; sleep 60' },
  });
  assert.match(say(await instance.ended, 'en'), /its home fills more than 16 MiB of disk/);
});
