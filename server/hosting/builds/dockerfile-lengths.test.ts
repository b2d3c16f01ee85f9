import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Image } from '../engine/image-calls.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { refuseLongLines, refuseManyDeclarations } from './dockerfile-lengths.ts';
import { instructionsIn } from './dockerfile-text.ts';

const base = (Config: Image['Config']): Image => ({ Id: 'sha256:1', Size: 1, RootFS: {}, Config });

/** The line that is too long, if any. */
function lineOf(lines: readonly string[], args = {}, bases: readonly Image[] = []): string | undefined {
  try {
    refuseLongLines(instructionsIn(lines.join('\n')), args, bases);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof RuntimeFailure);
    return String(error.reason.params.line);
  }
}

test('variables that make a line too long are found wherever they come from', () => {
  const x = 'x'.repeat(1_000);
  const many = (of: string) => of.repeat(70);
  assert.equal(lineOf([`ARG A=${x}`, `ENV B="${many('$A')}"`]), `ENV B="${many('$A')}"`.slice(0, 120));
  assert.match(lineOf(['FROM x', 'ARG A', `COPY ${many('$A')} /`], { A: x }) ?? '', /^COPY/);
  assert.match(lineOf([`ENV A ${x}`, `WORKDIR /${many('$A')}`]) ?? '', /^WORKDIR/);
  assert.match(lineOf([`USER ${many('$A')}`], {}, [base({ Env: [`A=${x}`] })]) ?? '', /^USER/);
  const triggers = base({ OnBuild: [`ENV A=${x}`, `ENV B=${many('$A')}`] });
  assert.match(lineOf([], {}, [triggers]) ?? '', /^ENV B/);
  const pairs: [string, string][] = [
    ['é=', '$é'],
    ['1=', '$1a'],
    ['@=', '$@'],
    ['"A"=', '$A'],
  ];
  for (const [set, place] of pairs)
    assert.match(lineOf([`ENV ${set}${x}`, `USER ${many(place)}`]) ?? '', /^USER/, set);
  const stages = ['FROM a AS b', `ENV A=${x}`, 'FROM a AS c', 'ENV A=y', 'FROM b', `USER ${many('$A')}`];
  assert.match(lineOf(stages) ?? '', /^USER/);
  const doubling = Array.from({ length: 30 }, (_, n) => `ENV V${n + 1}=$V${n}$V${n}`);
  assert.match(lineOf(['ENV V0=xxxx', ...doubling]) ?? '', /^ENV V\d+/);
});

test('labels are limited all together, with those of the image that it begins with', () => {
  const label = (n: number) => `LABEL one.${n}="${'x'.repeat(1_000)}"`;
  const labels = Array.from({ length: 17 }, (_, n) => label(n));
  assert.equal(lineOf(labels.slice(0, 10)), undefined);
  assert.ok(lineOf(labels));
  assert.ok(lineOf(labels.slice(0, 10), {}, [base({ Labels: { a: 'x'.repeat(10_000) } })]));
});

test('what becomes of a Dockerfile has no more volumes and ports than who lists it can bear', () => {
  const many = (lines: readonly string[], bases: readonly Image[] = []) => {
    try {
      refuseManyDeclarations(instructionsIn(lines.join('\n')), bases);
      return false;
    } catch (error) {
      assert.equal(error instanceof RuntimeFailure && error.reason.code, 'dockerfile_many');
      return true;
    }
  };
  const folders = (count: number) => Array.from({ length: count }, (_, n) => `/v${n}`);
  assert.equal(many([`VOLUME ${folders(20).join(' ')}`]), false);
  assert.equal(many([`VOLUME ${folders(20).join(' ')}`, 'VOLUME /w']), true);
  assert.equal(many([`VOLUME [${folders(21).map((one) => `"${one}"`)}]`]), true);
  assert.equal(many([], [base({ OnBuild: [`VOLUME ${folders(21).join(' ')}`] })]), true);
  const keys = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));
  assert.equal(many(['VOLUME /w'], [base({ Volumes: keys(folders(20)) })]), true);
  assert.equal(many([], [base({ ExposedPorts: keys(folders(100)) })]), false);
  assert.equal(many([], [base({ ExposedPorts: keys(folders(101)) })]), true);
});

test('what people write is not too long', () => {
  const options = ['ENV OPTIONS="--a-b=1 c d=2"', 'ENV LONG $OPTIONS $OPTIONS'];
  assert.equal(lineOf([...options, 'WORKDIR /$A/$LONG/$PATH']), undefined);
  const path = Array.from({ length: 40 }, (_, n) => `ENV PATH=/opt/tool-${n}/bin:$PATH`);
  assert.equal(
    lineOf(['FROM node', ...path, 'LABEL a.b="c"'], {}, [base({ Env: ['PATH=/bin'] })]),
    undefined,
  );
  assert.equal(lineOf([`RUN echo ${'word '.repeat(8_000)}`]), undefined);
});
