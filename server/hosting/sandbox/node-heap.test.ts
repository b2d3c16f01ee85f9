import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withHeapLimit } from './node-heap.ts';

test('Node.js is told three quarters of its memory, besides what its owner tells it', () => {
  assert.deepEqual(withHeapLimit({}, 512), { NODE_OPTIONS: '--max-old-space-size=384' });
  assert.deepEqual(withHeapLimit({ A: 'b', NODE_OPTIONS: '--enable-source-maps' }, 256), {
    A: 'b',
    NODE_OPTIONS: '--enable-source-maps --max-old-space-size=192',
  });
});

test('a heap that its owner sets stays, however it is written', () => {
  for (const NODE_OPTIONS of [
    '--max-old-space-size=100',
    '--no-warnings --max_old_space_size=100',
    '--max-old-space-size-percentage=50',
    '--max-heap-size=100',
  ]) {
    assert.deepEqual(withHeapLimit({ NODE_OPTIONS }, 512), { NODE_OPTIONS });
  }
});
