import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { repeatedWarnings } from './repeated-warnings.ts';

test('what lasts is said once, and again where its reason is another or it was over', () => {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) });
  const image = { image: 'node' };
  const away = (port: number) => `no answer from port ${port}`;
  for (const port of [40_001, 4]) repeatedWarnings(log).warn(image, 'not brought', away(port));
  const { warn, clear } = repeatedWarnings(log);
  warn({ image: 'ruby' }, 'not brought', away(5));
  warn(image, 'not brought', 'denied');
  warn(image, 'not brought', 'denied');
  clear(image, 'not brought');
  warn(image, 'not brought', 'denied');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      { level: 40, image: 'node', msg: 'not brought: no answer from port 40001' },
      { level: 40, image: 'ruby', msg: 'not brought: no answer from port 5' },
      { level: 40, image: 'node', msg: 'not brought: denied' },
      { level: 40, image: 'node', msg: 'not brought: denied' },
    ],
  );
});
