import type { Image } from '../engine/image-calls.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';

// Reads an untrusted Dockerfile and rewrites it for the engine, one instruction a line, so that its base images and
// sources of copies are exactly those that were checked here. The engine would take the first characters of any image's
// id as a name, even of another owner's image, and fetches and unpacks the sources of ADD: so ADD becomes COPY. EXPOSE
// becomes a label with the same content: every list of containers contains all their ports, and one line may open all
// that exist. Reference parser: https://github.com/moby/buildkit/tree/master/frontend/dockerfile/parser

export interface DockerfileText {
  instructions: readonly Instruction[];
  /** Images of others that it starts from or copies from. */
  images: readonly string[];
  /** Number of stages. */
  stages: number;
  /**
   * Indices of lines, ascending, after which our label is inserted: those that begin a stage, and those that could give
   * the label another value.
   */
  marks: readonly number[];
  /** Stage numbers by lower-case name. */
  names: ReadonlyMap<string, number>;
  /** Lines for the engine. */
  lines: readonly string[];
}

export interface Instruction {
  keyword: string;
  /** Text after the keyword. */
  rest: string;
  /** Index of its first line. */
  first: number;
  /** True for ONBUILD: it runs in builds that start from the image. */
  isTrigger: boolean;
}

/** Characters that only some parts of the engine treat as spaces. */
const ODD_SPACE = /[\0\u0085]|\r(?!\n)|[^\S\t\n\r ]/;
const BYTE_ORDER_MARK = /^\uFEFF/;
const OTHER_ESCAPE = /^[ \t]*#[ \t]*escape[ \t]*=[ \t]*[^\\\s]/im;
const COMMENT = /^\s*#/;
const CONTINUES = /\\[ \t]*$/;
/** Line ends that versions of the engine read differently. */
const AMBIGUOUS_END = /\\\\[ \t]*$/;
/** Flags that need BuildKit: the engine's API offers only its classic builder. */
const BUILDKIT_ONLY = /^--(mount|network|security)=/i;
/** Here-documents, which also need BuildKit; their lines are not instructions, even if they look so. */
const HERE_DOCUMENT = /(?:^|\s)\d*<<-?[^<\s]/;
const TAKES_HERE_DOCUMENT = new Set(['RUN', 'COPY', 'ADD']);

/**
 * Parses a Dockerfile. Throws a RuntimeFailure for parts that can't be resolved before the build, and for an ADD that
 * fetches.
 */
export function readDockerfile(written: string, args: Readonly<Record<string, string>>): DockerfileText {
  const text = written.replace(BYTE_ORDER_MARK, '');
  refuseOddSpaces(text);
  if (OTHER_ESCAPE.test(text)) throw unclear('# escape');
  const globals = new Map<string, string>();
  const images = new Set<string>();
  const names = new Map<string, number>();
  let stages = 0;
  const marks: number[] = [];
  const lines: string[] = [];
  let stageAlias: string | undefined;
  /** Registers a stage's name, which becomes valid when the stage ends. */
  const endStage = () => {
    if (stageAlias !== undefined) names.set(stageAlias, stages - 1);
    stageAlias = undefined;
  };
  const instructions = instructionsIn(text);
  for (const instruction of instructions) {
    const { keyword, first } = instruction;
    let line = lineOf(instruction, keyword, instruction.rest);
    if (keyword === 'ARG' && stages === 0) readGlobalArgs(instruction, args, globals);
    else if (keyword === 'FROM') {
      endStage();
      const { image, name } = parseFrom(instruction, globals);
      const stage = names.get(image.toLowerCase());
      if (stage === undefined && image !== SCRATCH) images.add(image);
      line = `FROM ${stage === undefined ? image : stageName(stage)} AS ${stageName(stages)}`;
      stages += 1;
      stageAlias = name?.toLowerCase();
    } else if (COPIES.has(keyword)) {
      const { from, flags, rest } = parseCopy(instruction);
      const stage = from === undefined ? undefined : (names.get(from.toLowerCase()) ?? from);
      if (typeof stage === 'string' && !STAGE_NUMBER.test(stage)) images.add(stage);
      refuseFetching(instruction);
      const all = [...(stage === undefined ? [] : [`--from=${stage}`]), ...flags, rest];
      line = lineOf(instruction, 'COPY', all.join(' '));
    } else if (keyword === 'EXPOSE') {
      const exposed = instruction.rest.replaceAll(/["']|\\(?!\$)/g, '');
      line = lineOf(instruction, 'LABEL', `${EXPOSES}${first}="${exposed}"`);
    }
    if (MARKED.has(keyword)) marks.push(first);
    refuseBuildKitSyntax(instruction);
    // A line that continues would swallow the next one.
    if (CONTINUES.test(line)) throw unclear(displayInstruction(instruction));
    lines[first] = line;
  }
  endStage();
  const all = Array.from(lines, (line = '') => line);
  return { instructions, images: [...images], stages, marks, names, lines: all };
}

/** Prefix of labels with the content of EXPOSE, after the engine has expanded variables. */
const EXPOSES = 'simcha.exposes.';
const PORT = /^(\d+)(?:-(\d+))?(?:\/(tcp|udp|sctp))?$/i;
const MOST_PORT = 65_535;

/**
 * Returns the only TCP port that an image says it listens on; undefined if it names none or several. `file`: name of
 * its Dockerfile. Throws a RuntimeFailure for an invalid port.
 */
export function portOf({ Config }: Pick<Image, 'Config'>, file: string): number | undefined {
  const labels = Object.entries(Config.Labels ?? {}).filter(([name]) => name.startsWith(EXPOSES));
  const exposed = [
    ...Object.keys(Config.ExposedPorts ?? {}),
    ...labels.flatMap(([, value]) => wordsOf(value)),
  ];
  const ports = exposed.flatMap((word) => {
    const [, first, last = first, protocol = 'tcp'] = PORT.exec(word) ?? [];
    const range = [Number(first), Number(last)];
    if (!range.every((port) => port >= 1 && port <= MOST_PORT)) {
      const error = `EXPOSE ${word.slice(0, LONGEST_DISPLAYED)} names no port`;
      throw new RuntimeFailure(reason('dockerfile_refused', { file, error }));
    }
    return protocol.toLowerCase() === 'tcp' ? range : [];
  });
  const [port, ...others] = new Set(ports);
  return others.length > 0 ? undefined : port;
}

const SCRATCH = 'scratch';
const COPIES = new Set(['COPY', 'ADD']);
const MARKED = new Set(['FROM', 'LABEL']);
const NAME = /^[\w.:/@-]+$/;

const TRIGGER_PREFIX = 'ONBUILD ';
const stageName = (number: number) => `simcha-stage-${number}`;

const lineOf = ({ isTrigger: isLater }: Instruction, keyword: string, rest: string) =>
  `${isLater ? TRIGGER_PREFIX : ''}${keyword} ${rest}`;

/** Name, in the rewritten file, of a stage that is requested by name or number; undefined if it does not exist. */
export function targetIn({ names, stages }: DockerfileText, target: string): string | undefined {
  const number = names.get(target.toLowerCase()) ?? (STAGE_NUMBER.test(target) ? Number(target) : Infinity);
  return number < stages ? stageName(number) : undefined;
}

function parseFrom(
  instruction: Instruction,
  globals: ReadonlyMap<string, string>,
): { image: string; name?: string } {
  // The platform flag is ignored: images are built for the engine's own platform.
  const { rest } = parseFlags(instruction);
  const [image = '', as = '', name, ...more] = wordsOf(rest);
  const isNamed = /^as$/i.test(as) && name !== undefined && /^[a-z][\w.-]*$/i.test(name);
  if (instruction.isTrigger || more.length > 0 || (as !== '' && !isNamed))
    throw unclear(displayInstruction(instruction));
  return { image: expandImageName(image, globals, instruction), ...(isNamed && { name }) };
}

function parseCopy(instruction: Instruction): { from?: string; flags: string[]; rest: string } {
  const { flags: all, rest } = parseFlags(instruction);
  const [flags, froms] = [all.filter((flag) => !FROM.test(flag)), all.filter((flag) => FROM.test(flag))];
  const [from] = froms.map((flag) => flag.replace(FROM, ''));
  if (froms.length > 1 || (from !== undefined && !NAME.test(from)))
    throw unclear(displayInstruction(instruction));
  return { flags, rest, ...(from !== undefined && { from }) };
}

const FROM = /^--from=/i;

/** Throws if the engine would remove quotes from a flag, or split it by bytes instead of characters. */
function parseFlags(instruction: Instruction): { flags: string[]; rest: string } {
  const [leading = ''] = /^(?:--\S*(?:\s+|$))*/.exec(instruction.rest) ?? [];
  const flags = wordsOf(leading);
  if (flags.some((flag) => !/^--[!-~]+$/.test(flag) || /["'\\]/.test(flag)))
    throw unclear(displayInstruction(instruction));
  return { flags, rest: instruction.rest.slice(leading.length) };
}

function refuseBuildKitSyntax(instruction: Instruction): void {
  const { keyword, rest } = instruction;
  const needsBuildKit = keyword === 'RUN' && wordsOf(rest).some((word) => BUILDKIT_ONLY.test(word));
  if (needsBuildKit || (TAKES_HERE_DOCUMENT.has(keyword) && HERE_DOCUMENT.test(rest)))
    throw new RuntimeFailure(reason('dockerfile_buildkit', { line: displayInstruction(instruction) }));
}

/** ONBUILD instructions of an image, which run in builds that start from it, each parsed separately. */
export const triggersOf = ({ Config }: Pick<Image, 'Config'>): readonly string[] => Config.OnBuild ?? [];

/** Text for the engine, with our LABEL inserted at each mark, also for instructions that run later. */
export function withLabel({ marks, lines }: DockerfileText, label: string): string {
  const marked = new Set(marks);
  const ours = (before: string) => (before.startsWith(TRIGGER_PREFIX) ? `${TRIGGER_PREFIX}${label}` : label);
  return lines.flatMap((one, index) => (marked.has(index) ? [one, ours(one)] : [one])).join('\n');
}

/** Replaces line numbers in the engine's messages by those of the original file. */
export function withOriginalLines(exposed: string, { marks }: Pick<DockerfileText, 'marks'>): string {
  return exposed.replaceAll(/\bline (\d+)/g, (_, line) => {
    const before = marks.filter((index, added) => index + 1 + added < Number(line)).length;
    return `line ${Number(line) - before}`;
  });
}

export function instructionsIn(text: string): Instruction[] {
  const found: Instruction[] = [];
  let continued: { text: string; first: number } | undefined;
  for (const [index, line] of text.replace(BYTE_ORDER_MARK, '').split('\n').entries()) {
    const bare = line.replace(/\r$/, '');
    if (COMMENT.test(bare) || bare.trim() === '') continue;
    if (AMBIGUOUS_END.test(bare)) throw unclear(bare.trim());
    const { text: before, first } = continued ?? { text: '', first: index };
    const joinedLine = { text: before + bare.replace(CONTINUES, ''), first };
    continued = CONTINUES.test(bare) ? joinedLine : undefined;
    if (continued === undefined) found.push(instructionOf(joinedLine.text, first));
  }
  // The engine accepts a continuation at the end of the file.
  if (continued !== undefined) found.push(instructionOf(continued.text, continued.first));
  return found;
}

function instructionOf(line: string, first: number): Instruction {
  const joinedLine = line.trim();
  const instructionText = joinedLine.replace(/^(ONBUILD\s+)+/i, '');
  const [, keyword = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(instructionText) ?? [];
  // The engine folds some other letters to ASCII in keywords, so they are refused.
  if (!/^[A-Za-z]*$/.test(keyword)) throw unclear(instructionText);
  return { keyword: keyword.toUpperCase(), rest, first, isTrigger: instructionText !== joinedLine };
}

export const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Stage numbers; a longer number is an image's name to the engine. */
const STAGE_NUMBER = /^\d{1,9}$/;
const ARGUMENT = /([A-Za-z_]\w*)(?:=("[^"\\]*"|'[^'\\$]*'|[^\s"'\\]*))?(?:\s+|$)/gy;

/** Reads an ARG before the first FROM; only those are valid in FROM. */
function readGlobalArgs(
  instruction: Instruction,
  args: Readonly<Record<string, string>>,
  globals: Map<string, string>,
): void {
  const found = [...instruction.rest.matchAll(ARGUMENT)];
  if (found.map(([joinedLine]) => joinedLine).join('') !== instruction.rest)
    throw unclear(displayInstruction(instruction));
  for (const [, name = '', value = ''] of found) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    globals.set(name, given ?? expandVariables(value.replaceAll(/^["']|["']$/g, ''), globals));
  }
}

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::([-+])([^${}]*))?\})/g;

function expandVariables(text: string, globals: ReadonlyMap<string, string>): string {
  return text.replaceAll(VARIABLE, (_, plain, name = plain, sign = '', word = '') => {
    const value = globals.get(name);
    if (sign === '-') return value || word;
    if (sign === '+') return value ? word : '';
    return value ?? '';
  });
}

function expandImageName(
  image: string,
  globals: ReadonlyMap<string, string>,
  instruction: Instruction,
): string {
  const name = expandVariables(image, globals);
  if (!NAME.test(name)) throw unclear(displayInstruction(instruction));
  return name;
}

const ADDRESSES = ['http://', 'https://'];

/**
 * Refuses an ADD that fetches. A word with variables may become an address, unless its beginning already rules that
 * out.
 */
function refuseFetching(instruction: Instruction): void {
  if (instruction.keyword !== 'ADD') return;
  const plain = instruction.rest.replaceAll(/[[\],"'\\]/g, (quote) => (quote === ',' ? ' ' : ''));
  const words = wordsOf(plain).filter((word) => !word.startsWith('--'));
  const fetches = (word: string) => {
    const [begun = '', ...rest] = word.toLowerCase().split('$');
    return word.includes('://') || (rest.length > 0 && ADDRESSES.some((one) => one.startsWith(begun)));
  };
  if (words.slice(0, -1).some(fetches) || /\\u/i.test(instruction.rest) || words.at(-1)?.includes('://'))
    throw new RuntimeFailure(reason('dockerfile_fetches', { line: displayInstruction(instruction) }));
}

function refuseOddSpaces(text: string): void {
  const at = text.search(ODD_SPACE);
  if (at < 0) return;
  const line = text.slice(0, at).split('\n').length;
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new RuntimeFailure(reason('dockerfile_space', { line, character: `U+${code}` }));
}

const LONGEST_DISPLAYED = 120;

export function displayInstruction({ keyword, rest }: Instruction): string {
  return `${keyword} ${rest}`.slice(0, LONGEST_DISPLAYED).trim();
}

function unclear(line: string): RuntimeFailure {
  return new RuntimeFailure(reason('dockerfile_unclear', { line: line.slice(0, LONGEST_DISPLAYED) }));
}
