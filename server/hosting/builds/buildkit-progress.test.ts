import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { readProgress } from './buildkit-progress.ts';

type Write = (writer: BinaryWriter) => BinaryWriter;

/** Field with a message in it. */
const message =
  (field: number, write: Write): Write =>
  (writer) =>
    write(writer.tag(field, WireType.LengthDelimited).fork()).join();
const text =
  (field: number, value: string): Write =>
  (writer) =>
    writer.tag(field, WireType.LengthDelimited).string(value);
const number =
  (field: number, value: number): Write =>
  (writer) =>
    writer.tag(field, WireType.Varint).int64(value);
const all =
  (...fields: Write[]): Write =>
  (writer) =>
    fields.reduce((before, write) => write(before), writer);
const timestamp = (field: number) => message(field, number(1, 1_795_901_397));
const bytesOf = (write: Write) => write(new BinaryWriter()).finish();

test('steps and their output are read out of the progress of a build, and nothing else', () => {
  const started = all(
    text(1, 'sha256:a'),
    text(2, 'sha256:input'),
    text(3, '[web 1/2] RUN שלום'),
    timestamp(5),
    timestamp(6),
    text(7, 'exit code: 7'),
    message(8, text(1, 'group')),
  );
  const cached = all(text(1, 'sha256:b'), text(3, '[2/2] COPY'), number(4, 1));
  const status = all(text(1, 'exporting layers'), number(4, 3));
  const log = all(text(1, 'sha256:a'), timestamp(2), number(3, 2), text(4, 'כן\n'));
  const progress = readProgress(
    bytesOf(all(message(1, started), message(2, status), message(1, cached), message(3, log))),
  );
  assert.deepEqual(progress.vertexes, [
    {
      digest: 'sha256:a',
      name: '[web 1/2] RUN שלום',
      hasStarted: true,
      isCached: false,
      error: 'exit code: 7',
    },
    { digest: 'sha256:b', name: '[2/2] COPY', hasStarted: false, isCached: true, error: '' },
  ]);
  assert.deepEqual(
    progress.logs.map(({ bytes, ...rest }) => ({ ...rest, text: Buffer.from(bytes).toString() })),
    [{ vertex: 'sha256:a', stream: 2, text: 'כן\n' }],
  );
  assert.deepEqual(readProgress(new Uint8Array()), { vertexes: [], logs: [] });
});

test('a message that ends too early is an error', () => {
  const whole = bytesOf(message(1, text(3, 'name')));
  assert.throws(() => readProgress(whole.subarray(0, -1)), RangeError);
});
