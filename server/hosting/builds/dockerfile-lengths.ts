import type { Image } from '../engine/engine.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { displayed, type Instruction, instructionsIn, triggersOf, wordsOf } from './dockerfile-text.ts';

// How long what a Dockerfile says becomes once its variables are put in. The engine does that itself, in a time that grows with the
// square of it and that nothing ends. Whoever lists its images and containers is told all labels, volumes and ports of each.

/** Of one line, and of all of them, in UTF-16 units. */
const LONGEST = 65_536;
const MOST = 1_000_000;
const MOST_OF_LABELS = 16_384;
const TOLD = new Set(['LABEL', 'EXPOSE']);
const MOST_VOLUMES = 20;
const MOST_PORTS = 100;
const PLACE = /\$\{?([A-Za-z_]\w*)?/g;
const SET = /([A-Za-z_]\w*)(?==)/g;
const PLAIN = /^[A-Za-z_]\w*(?:=|$)/;

/** Throws a RuntimeFailure for what becomes too long of a Dockerfile that begins with such images, and is told such arguments. */
export function refuseLong(
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
  /** Of what may be any variable: the engine takes other letters for a name too, and quotes from it. */
  let odd = 0;
  let all = 0;
  let ofLabels = Math.max(0, ...bases.map(({ Config }) => JSON.stringify(Config.Labels ?? {}).length));
  // What a base has others do is done first.
  const before = bases.flatMap(triggersOf).flatMap(instructionsIn);
  for (const instruction of [...before, ...instructions]) {
    const { keyword, rest } = instruction;
    // What a shell puts in is that shell's.
    const places = keyword === 'RUN' ? [] : [...rest.matchAll(PLACE)];
    const length = places.reduce(
      (sum, [, name = '']) => sum + Math.max(lengths.get(name) ?? 0, odd),
      rest.length,
    );
    all += length;
    if (TOLD.has(keyword)) ofLabels += length;
    if (length > LONGEST || all > MOST || ofLabels > MOST_OF_LABELS)
      throw new RuntimeFailure(
        reason('dockerfile_long', { line: displayed(instruction), most: LONGEST, labels: MOST_OF_LABELS }),
      );
    if (keyword !== 'ARG' && keyword !== 'ENV') continue;
    const names = [...rest.matchAll(SET)].map(([, name = '']) => name);
    // `ENV NAME value` too.
    // A stage may go on from one of before, where it is longer.
    for (const name of [...names, /^\w+/.exec(rest)?.[0] ?? ''])
      lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
    const [first = '', ...more] = wordsOf(rest);
    if (!PLAIN.test(first) || more.some((word) => word.includes('=') && !PLAIN.test(word)))
      odd = Math.max(odd, length);
  }
}

/** Throws a RuntimeFailure for one that makes more volumes than it may, or begins with an image that says more than that. */
export function refuseMany(instructions: readonly Instruction[], bases: readonly Image[]): void {
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
    if (volumes > MOST_VOLUMES) refuse(displayed(instruction));
  }
}
