import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PullProgress } from './pull-progress.ts';

const MEBIBYTE = 2 ** 20;

test('the log of a pull names each layer once, and tells of a long download every five seconds', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = new PullProgress(
    (line) => void lines.push(line),
    () => now,
  );
  const downloading = (id: string, current: number, total: number) =>
    progress.add({
      id,
      status: 'Downloading',
      progressDetail: { current: current * MEBIBYTE, total: total * MEBIBYTE },
    });
  progress.add({ status: 'Pulling from who/app', id: 'sha256:1' });
  progress.add({ status: 'Already exists', id: 'aaa', progressDetail: {} });
  downloading('bbb', 1, 10);
  now = 5_000;
  downloading('ccc', 2, 20);
  downloading('bbb', 10, 10);
  progress.add({ status: 'Pull complete', id: 'bbb' });
  now = 11_000;
  downloading('ccc', 20, 20);
  progress.add({ status: 'Pull complete', id: 'ccc' });
  progress.add({ status: 'Pull complete', id: 'ddd' });
  progress.add({ status: 'Status: Downloaded newer image' });
  assert.deepEqual(lines, [
    'layer aaa: already here',
    'downloaded 3.0 of 30.0 MiB',
    'layer bbb: 10.0 MiB',
    'downloaded 30.0 of 30.0 MiB',
    'layer ccc: 20.0 MiB',
    'layer ddd',
  ]);
});
