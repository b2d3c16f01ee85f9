import type { Hide } from '../../logs/redaction.ts';
import { sanitizedOutput } from '../../logs/sanitized-output.ts';
import type { Reason } from './reason.ts';

/** What says why a command failed, by the words of what it ran: the more telling first. */
const TELLING: readonly RegExp[][] = [
  [
    // tsc: https://www.typescriptlang.org/tsconfig/#pretty
    /\berror TS\d+: /,
    // pnpm, yarn 1, yarn 2 and later: https://yarnpkg.com/advanced/error-codes
    /\bERR_PNPM_\w+/,
    /^error (?!Command failed)\S/,
    /^\S* ?YN00(?!0[07]\b|13\b|19\b|50\b)\d\d: (?!.*(Completed|└|┌))/,
    // Bundlers and frameworks.
    /^(Module not found|Type error|Build error|Failed to compile|Parse error|Syntax error|Export encountered|Error occurred prerendering)\b/i,
    /\b(failed to resolve import|could not resolve|can't resolve|cannot find module)\b/i,
    // Where it is, on a line of its own.
    /^\.{0,2}\/?\S+\.[cm]?[jt]sx?:\d+:\d+$/,
    /^\[vite|^\[rollup|^\[plugin |^✘ \[ERROR\]|^ERROR in /,
    // Bundler: https://bundler.io/man/bundle-install.1.html
    /^(Could not (reach host|find|fetch) |Bundler could not |Your Ruby version is |An error occurred while installing )/,
    // Programs of node, of Python, Ruby, PHP, Go, pip, and the shell.
    /^(Uncaught )?(error|ERROR|(\w+(::|\.))*\w*(Error|Exception))( \[\w+\])?: \S/,
    /^(\w+(::|\.))+[A-Z]\w*: \S/,
    /\((\w+::)*\w*Error\)$/,
    /^PHP (Fatal|Parse) error: /,
    /^panic: \S/,
    // A JSON logger of node: https://getpino.io/#/docs/api?id=loggerlevels-object
    /"level":\s*(50|60|"(error|fatal)")/,
    /: (not found|command not found|Permission denied)$/,
    /^\[[\w-]*err(or)?\] \S/i,
    /\bgyp ERR! (stack|not ok|find)/,
    /JavaScript heap out of memory|No space left on device/,
  ],
  [
    /^npm (error|ERR!) (code E|.*(in sync|Missing:|Invalid:|No matching version|Not Found|not found|Could not resolve|peer |Unsupported))/,
  ],
  [/^npm (error|ERR!) (?!code )\S/, /\b(error|failed|fatal)\b/i],
];

/** What stands around it, and says nothing. */
const NOISE = [
  /^npm (error|ERR!) (A complete log|path |command |workspace |location |in workspace|Lifecycle script|Exit status|errno |syscall |network$|network (This is a problem|In most cases|If you are)|If you are behind|signal |aliases?:|Usage:|Options:|Run "npm help|\[-|npm (ci|install|run)$|Clean install a project|Note that you can|Try running)/,
  // Blank, or of the list of its options.
  /^npm (error|ERR!)(\s*$|\s{2,}| [[}])/,
  /^npm (notice|warn)\b/i,
  // Bundler, of itself.
  /^(Don't run Bundler as root|installing your bundle as root|users on this machine\.$|\[DEPRECATED\])/,
  /^(Bundler \S+ is running, but|Warning: the running version of Bundler|There was an error installing the locked bundler)/,
  // pip says one for each time that it tries again.
  /^WARNING: Retrying \(/,
  // What a manager says that it runs.
  /^[>$] /,
  /^info Visit /,
  /\bELIFECYCLE\b|exited? with (exit )?code \d|^error Command failed/i,
  /^(\s+at |node:internal|Node\.js v\d)/,
  // A property of an error that node prints, and lines without a word.
  /^\s+\[?\w+\]?: .*,$/,
  /^[^\p{L}\p{N}]*$/u,
];

/** Lines that only announce what the next ones say, and how many of those. */
const ANNOUNCING: readonly (readonly [RegExp, number])[] = [
  [/^Failed to compile\.?$/, 2],
  [/^npm (error|ERR!) code E/, 1],
  // Such as "error during build:".
  [/:$/, 1],
];

/** What says it comes at the end, or not long before. */
const MOST_LISTENED = 2_000;
const MOST_READ = 1_000;
const MOST_LINES = 4;
const LONGEST_LINE = 240;
const LAST = 2;

/** The few lines of a failed command's output that matter; the last ones where none is known to. */
export function tellingLines(output: readonly string[]): string[] {
  const lines = [...new Set(worded(output))];
  const found = errorsIn(lines).flat();
  return (found.length > 0 ? found.slice(0, MOST_LINES) : lines.slice(-LAST)).map(short);
}

/** The last error in the output of a process that still runs; else its last line. */
function latestLines(output: readonly string[]): string[] {
  const lines = worded(output);
  return (errorsIn(lines).at(-1)?.slice(0, MOST_LINES) ?? lines.slice(-1)).map(short);
}

function worded(output: readonly string[]): string[] {
  return output
    .map((line) => line.slice(0, MOST_READ).trimEnd())
    .filter((line) => line.trim() !== '' && !NOISE.some((noise) => noise.test(line)));
}

/** Each error of the most telling kind there is, with the lines that belong to it. */
function errorsIn(lines: readonly string[]): string[][] {
  for (const rules of TELLING) {
    const errors: string[][] = [];
    for (let at = 0; at < lines.length; ) {
      const end = rules.some((rule) => rule.test(lines[at]?.trimStart() ?? '')) ? endOf(lines, at) : at;
      if (end > at) errors.push(lines.slice(at, end));
      at = Math.max(end, at + 1);
    }
    if (errors.length > 0) return errors;
  }
  return [];
}

/** Behind the last line that belongs to the one at `from`. */
function endOf(lines: readonly string[], from: number): number {
  let end = from + 1;
  for (let at = from; at < Math.min(end, lines.length); at += 1) {
    const [, following = 0] = ANNOUNCING.find(([rule]) => rule.test(lines[at]?.trim() ?? '')) ?? [];
    end = Math.max(end, at + 1 + following);
  }
  return end;
}

export interface Quoted {
  said?: string;
  hint?: Reason;
}

export type Quote = ReturnType<typeof createQuote>;

/**
 * Hands on what is written, lines that come by and by, and keeps what the parameters `said` and `hint` of a reason are made
 * of. `hintOf` finds a hint in what was written.
 */
export function createQuote({
  hide,
  output,
  hintOf,
}: {
  hide: Hide;
  output(lines: readonly string[]): void;
  hintOf?: ((lines: readonly string[]) => Reason | undefined) | undefined;
}) {
  let heard: string[] = [];
  const quoted = (choose: typeof tellingLines): Quoted => {
    const lines = choose(heard.map((line) => sanitizedOutput(line, hide)));
    const hint = hintOf?.(heard);
    return { ...(lines.length > 0 && { said: lines.join(' | ') }), ...(hint && { hint }) };
  };
  return {
    hear(lines: readonly string[]): void {
      output(lines);
      heard = heard.concat(lines).slice(-MOST_LISTENED);
    },
    /** Why a command ended. Nothing where nothing was said. */
    params: (): Quoted => quoted(tellingLines),
    /** The same of a process that still runs. */
    latest: (): Quoted => quoted(latestLines),
  };
}

function short(line: string): string {
  const text = line.trim();
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
