import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { portOf, readDockerfile, targetIn, withLabel, withOriginalLines } from './dockerfile-text.ts';

/** Variable as Docker writes it. */
const v = (inner: string) => `\${${inner}}`;
const read = (lines: string[], args = {}) => readDockerfile(lines.join('\n'), args);
const refused = (...lines: string[]) => {
  try {
    read(lines);
  } catch (error) {
    assert.ok(error instanceof RuntimeFailure, String(error));
    return error.reason.code;
  }
  return undefined;
};

test('the images that a Dockerfile takes are told, whatever they are called by', () => {
  const { images, stages, marks } = read(
    [
      '# syntax=docker/dockerfile:1',
      'ARG VERSION=22 SLIM="-slim"',
      `ARG NAME=node:${v('VERSION')}$SLIM`,
      '',
      'from --platform=linux/amd64 \\',
      '  # between',
      '',
      `  ${v('NAME')} \\  `,
      ' AS Build',
      'COPY . .',
      'FROM build',
      'COPY --chown=1:1 --from=BUILD /a /a',
      'COPY --from=0 /a /a',
      'FROM scratch',
      'ONBUILD COPY --from=docker.io/library/busybox:1@sha256:abc /bin /bin',
      'COPY --from=late /x /x',
      'FROM other AS late',
      'ARG A',
      'RUN echo --from=none ADD http://x',
    ],
    { VERSION: '24', SLIM: '' },
  );
  assert.deepEqual(images, ['node:24', 'docker.io/library/busybox:1@sha256:abc', 'late', 'other']);
  assert.equal(stages, 4);
  assert.deepEqual(marks, [4, 10, 13, 16]);
  assert.deepEqual(read(['ARG V', `FROM a:${v('V:-1')}${v('V:+2')}`], { V: 'x' }).images, ['a:x2']);
  assert.deepEqual(read(['ARG V', `FROM a:${v('V:-1')}${v('V:+2')}`]).images, ['a:1']);
});

test('a Dockerfile of which nobody can tell what it takes is not built by', () => {
  for (const line of [
    'FROM $WHAT',
    `FROM ${v('A#b')}`,
    'FROM "a"',
    'FROM a\\b',
    'COPY --from=$A / /',
    'COPY --fr\\om=a / /',
  ])
    assert.equal(refused('FROM x', line), 'dockerfile_unclear', line);
  assert.equal(refused('ARG A=x', 'FROM a', 'ARG A=y', 'COPY --fr\\', 'om=$A / /'), 'dockerfile_unclear');
  assert.equal(refused('ARG A=b\\c', 'FROM $A'), 'dockerfile_unclear');
  assert.equal(refused('# escape=`', 'FROM a'), 'dockerfile_unclear');
  assert.equal(refused('FROM a', 'FROM a \\'), undefined);
  assert.equal(refused('FROM a', 'RUN b \\ \\'), 'dockerfile_unclear');
  assert.equal(refused('FROM a \\\\', 'AS b'), 'dockerfile_unclear');
  assert.equal(refused('# escape=\\', 'FROM a'), undefined);
});

test('what the engine could read as another line, word or flag is refused', () => {
  const ID = '0123456789ab';
  for (const lines of [
    ['FROM a', `\u0085FROM ${ID}`],
    [`\u0085FROM ${ID}`],
    ['FROM a', 'RUN echo \\', '\uFEFF', `FROM ${ID}`],
    ['FROM a', 'RUN echo \\', '\uFEFF#x', `FROM ${ID}`],
    ['ARG B=a', `ARG A=x\u0085B=${ID}`, 'FROM $B'],
    ['FROM a', 'RUN echo \\\r\r', `FROM ${ID}`],
    ['FROM a', 'RUN a\fb'],
    ['FROM a', 'RUN a\u00a0b'],
  ])
    assert.equal(refused(...lines), 'dockerfile_space', JSON.stringify(lines));
  for (const lines of [
    ['\uFEFF# escape=`', 'FROM a', 'RUN echo \\', `FROM ${ID}`],
    ['FROM a', `COPY --chown=0à--from=${ID} / /x`],
    ['FROM a', `ADD --chown=0נ. /x`],
    [`FROM --platform=linux\\ a ${ID}`],
    ['FROM a', 'ONBUİLD COPY --from=b / /x'],
    ['ARG 1=0123', 'ARG 1abc=a', 'FROM $1abc'],
    ['ARG Aé=b', 'FROM $Aé'],
  ])
    assert.equal(refused(...lines), 'dockerfile_unclear', JSON.stringify(lines));
  for (const line of ['RUN <<"E\\"', 'COPY <<EOF /x', 'ONBUILD RUN 3<<-EOF cat'])
    assert.equal(refused('FROM a', line), 'dockerfile_buildkit', line);
  assert.equal(refused('\uFEFFFROM a\r', 'RUN echo שלום && echo $((1 << 2)) <<<x\r\n'), undefined);
  const digits = '12345678901234567890';
  assert.deepEqual(read(['FROM a', `COPY --from=${digits} / /x`, 'COPY --from=0 / /x']).images, [
    'a',
    digits,
  ]);
});

test('the engine fetches nothing for an ADD', () => {
  for (const line of [
    'ADD http://10.0.0.1/ /x',
    'add --chown=1 a https://x /x',
    'ADD ["http://x", "/x"]',
    'A\\\nDD ht\\\ntp://x /',
    'ONBUILD ADD http://x /x',
    'ADD $A /x',
    'ADD ht$A /x',
    'ADD "ht"tp:"//x" /',
    'ADD ["http\\u003a//x", "/"]',
  ])
    assert.equal(refused('FROM a', line), 'dockerfile_fetches', line);
  for (const line of [
    'ADD . /app',
    'ADD ./$A /x',
    'ADD app-$V.tar.gz $HOME',
    'ADD ["a b", "/c"]',
    'RUN curl http://x',
  ])
    assert.equal(refused('FROM a', line), undefined, line);
});

test('what takes BuildKit is told of', () => {
  assert.equal(refused('FROM a', 'RUN --mount=type=cache,target=/x npm ci'), 'dockerfile_buildkit');
});

test('the engine is told what was read, a line each, whatever it would have made of it', () => {
  const ID = '0123456789ab';
  const written = (lines: string[], args = {}) => withLabel(read(lines, args), 'LABEL l=1').split('\n');
  assert.deepEqual(
    written([
      '# syntax=x',
      'ARG V=1',
      'FROM --platform=linux/arm64 a:$V \\',
      ' AS Build',
      '  # between',
      'RUN one \\',
      '',
      '  two',
      'from BUILD',
      'ADD --chown=1:1 ["a b", "/c"]',
      'COPY --from=Build --chown=1 /x /y',
      'onbuild add . /z',
      'COPY --from=0 a --from=b',
    ]),
    [
      '',
      'ARG V=1',
      'FROM a:1 AS simcha-stage-0',
      'LABEL l=1',
      '',
      '',
      'RUN one   two',
      '',
      '',
      'FROM simcha-stage-0 AS simcha-stage-1',
      'LABEL l=1',
      'COPY --chown=1:1 ["a b", "/c"]',
      'COPY --from=0 --chown=1 /x /y',
      'ONBUILD COPY . /z',
      'COPY --from=0 a --from=b',
    ],
  );
  // Each line that sets labels is followed by our label.
  assert.deepEqual(written(['FROM a', 'LABEL l=2', 'ONBUILD LABEL l=3', 'label "$K"=4']), [
    'FROM a AS simcha-stage-0',
    'LABEL l=1',
    'LABEL l=2',
    'LABEL l=1',
    'ONBUILD LABEL l=3',
    'ONBUILD LABEL l=1',
    'LABEL "$K"=4',
    'LABEL l=1',
  ]);
  // A stage's name is not valid before the stage ends.
  assert.deepEqual(read([`FROM a AS ${`b${ID}`}`, `COPY --from=b${ID} / /`]).images, ['a', `b${ID}`]);
  // The engine's defaults for variables that no ARG declares.
  assert.deepEqual(read([`FROM ${v('HTTP_PROXY:-a')}`], { HTTP_PROXY: ID }).images, ['a']);
  assert.deepEqual(written(['ARG A=b', 'ARG A=c B=$A', 'FROM $B'])[2], 'FROM c AS simcha-stage-0');
  assert.deepEqual(read(['ARG B=$UNSET', `ARG C=${v('B:+a')}`, `FROM ${v('C:-b')}`]).images, ['b']);
});

test('what an image listens on is said by labels, and is its port where it is one', () => {
  const { lines } = read(['FROM a', 'EXPOSE 1-65535 "80"/$P \\$Q \\1', 'ONBUILD EXPOSE 1']);
  assert.deepEqual(lines.slice(1), [
    'LABEL simcha.exposes.1="1-65535 80/$P \\$Q 1"',
    'ONBUILD LABEL simcha.exposes.2="1"',
  ]);
  const port = (...said: string[]) => {
    const labels = said.map((words, line) => [`simcha.exposes.${line}`, words]);
    return portOf({ Config: { Labels: { other: 'x', ...Object.fromEntries(labels) } } }, 'Dockerfile');
  };
  assert.equal(port('3000'), 3_000);
  assert.equal(port('3000/TCP 53/udp', '03000'), 3_000);
  for (const none of [[], ['53/udp'], ['80', '443'], ['80 443'], ['80-81'], ['']])
    assert.equal(port(...none), undefined, none.join());
  assert.equal(port('3000-3000'), 3_000);
  for (const word of ['80/$P', '0', '65536', '9'.repeat(400), 'x', '80-65536'])
    assert.throws(() => port(word), /EXPOSE \S+ names no port/, word);
  assert.equal(portOf({ Config: { ExposedPorts: { '80/tcp': {} } } }, 'Dockerfile'), 80);
});

test('a stage is asked for by its name or number', () => {
  const found = read(['FROM a AS One', 'FROM b', 'FROM c AS two']);
  const asked = (target: string) => targetIn(found, target);
  assert.deepEqual(['one', 'TWO', '1', '3', 'a', '-1'].map(asked), [
    'simcha-stage-0',
    'simcha-stage-2',
    'simcha-stage-1',
    undefined,
    undefined,
    undefined,
  ]);
});

test('lines are told as they were written', () => {
  const found = read(['FROM a \\', ' AS b', 'RUN x', 'FROM b', 'LABEL z=1', 'RUNN y']);
  const lines = withLabel(found, 'LABEL l=1').split('\n');
  const lineOf = (line: string) => lines.indexOf(line) + 1;
  assert.equal(
    withOriginalLines(`parse error line ${lineOf('RUNN y')}: no`, found),
    'parse error line 6: no',
  );
  assert.equal(withOriginalLines(`line ${lineOf('RUN x')}`, found), 'line 3');
  assert.equal(withOriginalLines('line 1', found), 'line 1');
});

test('one that is made to take long does not', () => {
  const began = performance.now();
  for (const text of [
    'a'.repeat(900_000),
    `ARG ${'a'.repeat(900_000)}!`,
    '\n'.repeat(900_000),
    'ONBUILD '.repeat(110_000),
    'FROM a\n'.repeat(140_000),
    `ADD ${'$'.repeat(900_000)}`,
    `${'x\\\n'.repeat(300_000)}`,
    `FROM ${'${A:-'.repeat(150_000)}`,
  ])
    try {
      withLabel(readDockerfile(text, {}), '');
    } catch (error) {
      assert.ok(error instanceof RuntimeFailure, String(error));
    }
  assert.ok(performance.now() - began < 10_000, String(performance.now() - began));
});
