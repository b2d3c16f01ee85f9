import type { Image } from '../engine/image-calls.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import {
  displayInstruction,
  type Instruction,
  instructionsIn,
  triggersOf,
  wordsOf,
} from './dockerfile-text.ts';

// Length limits for Dockerfiles after variables are expanded. The engine expands them in quadratic time that can't be
// interrupted. Labels, volumes and ports are limited because every list of images and containers contains all of them.

/** Maximum length of one expanded line, and of all lines together, in UTF-16 code units. */
const LONGEST = 65_536;
const MOST = 1_000_000;
const MOST_OF_LABELS = 16_384;
const LISTED = new Set(['LABEL', 'EXPOSE']);
const MOST_VOLUMES = 20;
const MOST_PORTS = 100;
const VARIABLE = /\$\{?([A-Za-z_]\w*)?/g;
const SET = /([A-Za-z_]\w*)(?==)/g;
const PLAIN = /^[A-Za-z_]\w*(?:=|$)/;

/** Throws a RuntimeFailure for a Dockerfile whose lines become too long with these base images and arguments. */
export function refuseLongLines(
  instructions: readonly Instruction[],
  args: Readonly<Record<string, string>>,
  bases: readonly Image[],
): void {
  const lengths = new Map(Object.entries(args).map(([name, value]) => [name, value.length]));
  for (const { Config } of bases) {
    for (const one of Config.Env ?? []) {
      const [name = ''] = one.split('=', 1);
      lengths.set(name, Math.max(one.length, lengths.get(name) ?? 0));
    }
  }
  /**
   * Length to assume for variables with unusual names: the engine accepts more characters in names, and removes quotes
   * from them.
   */
  let oddNameLength = 0;
  let totalLength = 0;
  let labelsLength = Math.max(0, ...bases.map(({ Config }) => JSON.stringify(Config.Labels ?? {}).length));
  // Triggers of base images run first.
  const before = bases.flatMap(triggersOf).flatMap(instructionsIn);
  for (const instruction of [...before, ...instructions]) {
    const { keyword, rest } = instruction;
    // RUN is not expanded by the engine: its shell expands variables.
    const variables = keyword === 'RUN' ? [] : [...rest.matchAll(VARIABLE)];
    const length = variables.reduce(
      (sum, [, name = '']) => sum + Math.max(lengths.get(name) ?? 0, oddNameLength),
      rest.length,
    );
    totalLength += length;
    if (LISTED.has(keyword)) labelsLength += length;
    if (length > LONGEST || totalLength > MOST || labelsLength > MOST_OF_LABELS)
      throw new RuntimeFailure(
        reason('dockerfile_long', {
          line: displayInstruction(instruction),
          most: LONGEST,
          labels: MOST_OF_LABELS,
        }),
      );
    if (keyword !== 'ARG' && keyword !== 'ENV') continue;
    const names = [...rest.matchAll(SET)].map(([, name = '']) => name);
    // The form `ENV NAME value` counts as well. The longest value is kept, because a stage may start from an earlier
    // one.
    for (const name of [...names, /^\w+/.exec(rest)?.[0] ?? ''])
      lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
    const [first = '', ...more] = wordsOf(rest);
    if (!PLAIN.test(first) || more.some((word) => word.includes('=') && !PLAIN.test(word)))
      oddNameLength = Math.max(oddNameLength, length);
  }
}

/**
 * Throws a RuntimeFailure for a Dockerfile that declares too many volumes, or whose base images declare too many
 * volumes or ports.
 */
export function refuseManyDeclarations(instructions: readonly Instruction[], bases: readonly Image[]): void {
  const refuse = (line: string) => {
    throw new RuntimeFailure(reason('dockerfile_many', { line, volumes: MOST_VOLUMES, ports: MOST_PORTS }));
  };
  let volumes = 0;
  for (const { Config, RepoTags } of bases) {
    volumes += Object.keys(Config.Volumes ?? {}).length;
    const ports = Object.keys(Config.ExposedPorts ?? {}).length;
    if (volumes > MOST_VOLUMES || ports > MOST_PORTS) refuse(`FROM ${RepoTags?.[0] ?? ''}`);
  }
  for (const instruction of [...bases.flatMap(triggersOf).flatMap(instructionsIn), ...instructions]) {
    if (instruction.keyword !== 'VOLUME') continue;
    volumes += wordsOf(instruction.rest.replaceAll(/[[\],"]/g, ' ')).length;
    if (volumes > MOST_VOLUMES) refuse(displayInstruction(instruction));
  }
}
