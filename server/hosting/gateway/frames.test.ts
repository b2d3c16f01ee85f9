import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { closeFrame, createFrameReader, SERVICE_RESTART } from './frames.ts';

function frameOf({ opcode, length, isMasked }: { opcode: number; length: number; isMasked: boolean }) {
  const mask = isMasked ? 0x80 : 0;
  const head = [0x80 | opcode];
  const extended = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8);
  if (length < 126) head.push(mask | length);
  else if (length < 65_536) {
    head.push(mask | 126);
    extended.writeUInt16BE(length);
  } else {
    head.push(mask | 127);
    extended.writeBigUInt64BE(BigInt(length));
  }
  return Buffer.concat([
    Buffer.from(head),
    extended,
    Buffer.alloc(isMasked ? 4 : 0),
    Buffer.alloc(length, 8),
  ]);
}

const frame = fc.record({
  opcode: fc.constantFrom(0, 1, 2, 9, 10),
  length: fc.oneof(fc.nat(130), fc.constantFrom(125, 126, 127, 65_535, 65_536, 70_000)),
  isMasked: fc.boolean(),
});

test('frames are told apart however they come in pieces', () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), (frames, cuts) => {
      const texts = frames.map(frameOf);
      const whole = Buffer.concat(texts);
      const ends = new Set([0]);
      for (const { length } of texts) ends.add(Math.max(...ends) + length);
      const reader = createFrameReader();
      const at = [...new Set([...cuts.map((cut) => cut % (whole.length + 1)), whole.length])].sort(
        (a, b) => a - b,
      );
      let from = 0;
      for (const to of at) {
        reader.read(whole.subarray(from, to));
        assert.equal(reader.isBetween(), ends.has(to));
        from = to;
      }
      assert.equal(reader.isClosed(), false);
      reader.read(closeFrame(SERVICE_RESTART));
      assert.deepEqual([reader.isClosed(), reader.isBetween()], [true, true]);
    }),
  );
});
