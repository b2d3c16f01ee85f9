import type { Image } from '../engine/engine.ts';
import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';

// What of a stranger's Dockerfile is looked at before the engine builds by it, as its own classic builder reads it
// (https://docs.docker.com/reference/dockerfile/). The engine takes the first letters of any image's id for a name, be it
// somebody else's, and itself fetches what ADD names by an address: neither is kept from anything by the build's network. What the
// engine could read as anything else is refused: https://github.com/moby/buildkit/tree/master/frontend/dockerfile/parser

export interface DockerfileText {
  instructions: readonly Instruction[];
  /** The images of others that it begins with or copies from. */
  images: readonly string[];
  /** Indices of lines with which a FROM ends, upward. */
  stages: readonly number[];
}

export interface Instruction {
  keyword: string;
  /** The rest of it. */
  rest: string;
  /** Index of its last line. */
  last: number;
}

/** Spaces to some of the engine's ways to split a line, and to others not. */
const ODD = /[\0\u0085]|\r(?!\n)|[^\S\t\n\r ]/;
const BYTE_ORDER_MARK = /^\uFEFF/;
const OTHER_ESCAPE = /^[ \t]*#[ \t]*escape[ \t]*=[ \t]*[^\\\s]/im;
const COMMENT = /^\s*#/;
const CONTINUES = /\\[ \t]*$/;
/** Which versions of the engine read as different things. */
const UNSURE_END = /\\\\[ \t]*$/;
/** The engine has none but its classic builder behind its API. */
const BUILDKIT_ONLY = /^--(mount|network|security)=/i;
/** As is what goes on in the lines below, in which nothing is what it seems to be. */
const HERE_DOCUMENT = /(?:^|\s)\d*<<-?[^<\s]/;
const TAKES_HERE_DOCUMENT = new Set(['RUN', 'COPY', 'ADD']);

/** Throws a RuntimeFailure for what can't be told before it is built, and for an ADD that fetches. */
export function readDockerfile(written: string, args: Readonly<Record<string, string>>): DockerfileText {
  const text = written.replace(BYTE_ORDER_MARK, '');
  refuseOdd(text);
  if (OTHER_ESCAPE.test(text)) throw unclear('# escape');
  const globals = new Map<string, string>();
  const images = new Set<string>();
  const names = new Set(['scratch']);
  const stages: number[] = [];
  const use = (image: string) => {
    if (!names.has(image.toLowerCase())) images.add(image);
  };
  const found = instructionsIn(text);
  for (const instruction of found) {
    const { keyword, rest, last } = instruction;
    if (keyword === 'ARG' && stages.length === 0) noteGlobals(instruction, args, globals);
    if (keyword === 'FROM') {
      flagsOf(instruction);
      const [image = '', as = '', name = ''] = wordsOf(rest).filter((word) => !word.startsWith('--'));
      use(expanded(image, globals, instruction));
      if (as.toLowerCase() === 'as' && name !== '') names.add(name.toLowerCase());
      // What comes behind it would be taken for its name.
      if (!Number.isFinite(last)) throw unclear(shown(instruction));
      stages.push(last);
    } else {
      for (const from of copiedFrom(instruction)) if (!STAGE_NUMBER.test(from)) use(from);
      refuseFetching(instruction);
      const isBuildKits = keyword === 'RUN' && wordsOf(rest).some((word) => BUILDKIT_ONLY.test(word));
      if (isBuildKits || (TAKES_HERE_DOCUMENT.has(keyword) && HERE_DOCUMENT.test(rest)))
        throw new RuntimeFailure(reason('dockerfile_buildkit', { line: shown(instruction) }));
    }
  }
  return { instructions: found, images: [...images], stages };
}

/** What an image has others do that begin with it: each by itself, as the engine reads it. */
export const triggersOf = ({ Config }: Pick<Image, 'Config'>): readonly string[] => Config.OnBuild ?? [];

/** The text with another instruction at the beginning of each stage. */
export function beginningWith(
  text: string,
  { stages }: Pick<DockerfileText, 'stages'>,
  line: string,
): string {
  const ends = new Set(stages);
  return text
    .split('\n')
    .flatMap((one, index) => (ends.has(index) ? [one, line] : [one]))
    .join('\n');
}

/** What the engine says of its lines, as those who wrote them count. */
export function withOwnLines(said: string, { stages }: Pick<DockerfileText, 'stages'>): string {
  return said.replaceAll(/\bline (\d+)/g, (_, line) => {
    const before = stages.filter((index, added) => index + 1 + added < Number(line)).length;
    return `line ${Number(line) - before}`;
  });
}

export function instructionsIn(text: string): Instruction[] {
  const found: Instruction[] = [];
  let held: string | undefined;
  for (const [last, line] of text.replace(BYTE_ORDER_MARK, '').split('\n').entries()) {
    const bare = line.replace(/\r$/, '');
    if (COMMENT.test(bare) || bare.trim() === '') continue;
    if (UNSURE_END.test(bare)) throw unclear(bare.trim());
    const whole = (held ?? '') + bare.replace(CONTINUES, '');
    held = CONTINUES.test(bare) ? whole : undefined;
    if (held === undefined) found.push(instructionOf(whole, last));
  }
  // The engine takes one that goes on behind the end as it is.
  if (held !== undefined) found.push(instructionOf(held, Number.POSITIVE_INFINITY));
  return found;
}

/** What is done once somebody begins with it is looked at as if it were done now. */
function instructionOf(line: string, last: number): Instruction {
  const now = line.trimStart().replace(/^(ONBUILD\s+)+/i, '');
  const [, keyword = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(now) ?? [];
  // The engine takes a few other letters for these as well.
  if (!/^[A-Za-z]*$/.test(keyword)) throw unclear(now);
  return { keyword: keyword.toUpperCase(), rest, last };
}

export const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** A longer one is an image's name to it. */
const STAGE_NUMBER = /^\d{1,9}$/;
const ARGUMENT = /([A-Za-z_]\w*)(?:=("[^"\\]*"|'[^'\\$]*'|[^\s"'\\]*))?(?:\s+|$)/gy;

/** Of those before the first FROM, which alone count in any. */
function noteGlobals(
  instruction: Instruction,
  args: Readonly<Record<string, string>>,
  globals: Map<string, string>,
): void {
  const found = [...instruction.rest.matchAll(ARGUMENT)];
  if (found.map(([whole]) => whole).join('') !== instruction.rest) throw unclear(shown(instruction));
  for (const [, name = '', value = ''] of found) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    globals.set(name, given ?? filled(value.replaceAll(/^["']|["']$/g, ''), globals));
  }
}

const PLACE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::([-+])([^${}]*))?\})/g;

function filled(text: string, globals: ReadonlyMap<string, string>): string {
  return text.replaceAll(PLACE, (whole, plain, name = plain, sign = '', word = '') => {
    const value = globals.get(name);
    if (sign === '-') return value || word;
    if (sign === '+') return value ? word : '';
    return value ?? whole;
  });
}

function expanded(image: string, globals: ReadonlyMap<string, string>, instruction: Instruction): string {
  const name = filled(image, globals);
  if (!/^[\w.:/@-]+$/.test(name)) throw unclear(shown(instruction));
  return name;
}

function copiedFrom(instruction: Instruction): string[] {
  if (instruction.keyword !== 'COPY' && instruction.keyword !== 'ADD') return [];
  return flagsOf(instruction).flatMap((flag) => {
    const [, from] = /^--from=(.*)$/i.exec(flag) ?? [];
    if (from === undefined) return [];
    if (!/^[\w.:/@-]+$/.test(from)) throw unclear(shown(instruction));
    return [from];
  });
}

/** Throws for what the engine takes quotes from, or splits by its bytes and not by its letters. */
function flagsOf(instruction: Instruction): string[] {
  const flags = wordsOf(instruction.rest).filter((word) => word.startsWith('--'));
  if (flags.some((flag) => !/^[!-~]+$/.test(flag) || /["'\\]/.test(flag))) throw unclear(shown(instruction));
  return flags;
}

const ADDRESSES = ['http://', 'https://'];

/** What is put together only while it is built may become an address, unless it begins as none does. */
function refuseFetching(instruction: Instruction): void {
  if (instruction.keyword !== 'ADD') return;
  const plain = instruction.rest.replaceAll(/[[\],"'\\]/g, (quote) => (quote === ',' ? ' ' : ''));
  const words = wordsOf(plain).filter((word) => !word.startsWith('--'));
  const fetches = (word: string) => {
    const [begun = '', ...rest] = word.toLowerCase().split('$');
    return word.includes('://') || (rest.length > 0 && ADDRESSES.some((one) => one.startsWith(begun)));
  };
  if (words.slice(0, -1).some(fetches) || /\\u/i.test(instruction.rest) || words.at(-1)?.includes('://'))
    throw new RuntimeFailure(reason('dockerfile_fetches', { line: shown(instruction) }));
}

function refuseOdd(text: string): void {
  const at = text.search(ODD);
  if (at < 0) return;
  const line = text.slice(0, at).split('\n').length;
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new RuntimeFailure(reason('dockerfile_space', { line, character: `U+${code}` }));
}

const LONGEST_SHOWN = 120;

export function shown({ keyword, rest }: Instruction): string {
  return `${keyword} ${rest}`.slice(0, LONGEST_SHOWN).trim();
}

function unclear(line: string): RuntimeFailure {
  return new RuntimeFailure(reason('dockerfile_unclear', { line: line.slice(0, LONGEST_SHOWN) }));
}
