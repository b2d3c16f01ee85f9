import type { Hide } from '../../logs/redaction.ts';
import { sanitizedOutput } from '../../logs/sanitized-output.ts';
import type { Reason } from './reason.ts';

/** Patterns of output lines that say why a command failed; the patterns that explain most come first. */
const SIGNIFICANT: readonly RegExp[][] = [
  [
    // Errors of the TypeScript compiler tsc: https://www.typescriptlang.org/tsconfig/#pretty
    /\berror TS\d+: /,
    // Errors of the package managers pnpm, yarn 1, and yarn 2 and later: https://yarnpkg.com/advanced/error-codes
    /\bERR_PNPM_\w+/,
    /^error (?!Command failed)\S/,
    /^\S* ?YN00(?!0[07]\b|13\b|19\b|50\b)\d\d: (?!.*(Completed|└|┌))/,
    // Errors of JavaScript bundlers and frameworks, such as webpack and Next.js
    /^(Module not found|Type error|Build error|Failed to compile|Parse error|Syntax error|Export encountered|Error occurred prerendering)\b/i,
    /\b(failed to resolve import|could not resolve|can't resolve|cannot find module)\b/i,
    // Line with only the file, line and column of an error
    /^\.{0,2}\/?\S+\.[cm]?[jt]sx?:\d+:\d+$/,
    /^\[vite|^\[rollup|^\[plugin |^✘ \[ERROR\]|^ERROR in /,
    // Errors of Bundler, Ruby's package manager: https://bundler.io/man/bundle-install.1.html
    /^(Could not (reach host|find|fetch) |Bundler could not |Your Ruby version is |An error occurred while installing )/,
    // Errors of programs in JavaScript, Python, Ruby, PHP and Go, of pip, and of the shell
    /^(Uncaught )?(error|ERROR|(\w+(::|\.))*\w*(Error|Exception))( \[\w+\])?: \S/,
    /^(\w+(::|\.))+[A-Z]\w*: \S/,
    /\((\w+::)*\w*Error\)$/,
    /^PHP (Fatal|Parse) error: /,
    /^panic: \S/,
    // Error messages of programs that log in JSON with pino: https://getpino.io/#/docs/api?id=loggerlevels-object
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

/** Patterns for output lines without information about the cause of an error. */
const NOISE = [
  /^npm (error|ERR!) (A complete log|path |command |workspace |location |in workspace|Lifecycle script|Exit status|errno |syscall |network$|network (This is a problem|In most cases|If you are)|If you are behind|signal |aliases?:|Usage:|Options:|Run "npm help|\[-|npm (ci|install|run)$|Clean install a project|Note that you can|Try running)/,
  // Line of npm's error message that is blank, or part of a list of options
  /^npm (error|ERR!)(\s*$|\s{2,}| [[}])/,
  /^npm (notice|warn)\b/i,
  // Remarks of Ruby's Bundler about its own version or use
  /^(Don't run Bundler as root|installing your bundle as root|users on this machine\.$|\[DEPRECATED\])/,
  /^(Bundler \S+ is running, but|Warning: the running version of Bundler|There was an error installing the locked bundler)/,
  // Warning that pip prints for each retry
  /^WARNING: Retrying \(/,
  // Package managers echo the commands that they run
  /^[>$] /,
  /^info Visit /,
  /\bELIFECYCLE\b|exited? with (exit )?code \d|^error Command failed/i,
  /^(\s+at |node:internal|Node\.js v\d)/,
  // Properties of an error object that node prints; and lines without letters and digits
  /^\s+\[?\w+\]?: .*,$/,
  /^[^\p{L}\p{N}]*$/u,
];

/** Output lines that announce an explanation, and the number of lines after each of them that belong to it. */
const ANNOUNCING: readonly (readonly [RegExp, number])[] = [
  [/^Failed to compile\.?$/, 2],
  [/^npm (error|ERR!) code E/, 1],
  // Line that ends in a colon, such as "error during build:"
  [/:$/, 1],
];

/** Number of output lines kept; errors come at the end of the output or shortly before it. */
const MOST_LISTENED = 2_000;
const MOST_READ = 1_000;
const MOST_LINES = 4;
const LONGEST_LINE = 240;
const LAST = 2;

/** Finds the few lines of a failed command's output that explain the failure; the last lines if no pattern matches. */
export function significantLines(output: readonly string[]): string[] {
  const lines = [...new Set(worded(output))];
  const found = errorsIn(lines).flat();
  return (found.length > 0 ? found.slice(0, MOST_LINES) : lines.slice(-LAST)).map(short);
}

/** Finds the last error in the output of a running process; otherwise its last line. */
function latestLines(output: readonly string[]): string[] {
  const lines = worded(output);
  return (errorsIn(lines).at(-1)?.slice(0, MOST_LINES) ?? lines.slice(-1)).map(short);
}

function worded(output: readonly string[]): string[] {
  return output
    .map((line) => line.slice(0, MOST_READ).trimEnd())
    .filter((line) => line.trim() !== '' && !NOISE.some((noise) => noise.test(line)));
}

/** Finds the errors of the most significant kind in the output, each with the lines that belong to it. */
function errorsIn(lines: readonly string[]): string[][] {
  for (const rules of SIGNIFICANT) {
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

/** Index after the last output line that belongs to the error that begins at index `from`. */
function endOf(lines: readonly string[], from: number): number {
  let end = from + 1;
  for (let at = from; at < Math.min(end, lines.length); at += 1) {
    const [, following = 0] = ANNOUNCING.find(([rule]) => rule.test(lines[at]?.trim() ?? '')) ?? [];
    end = Math.max(end, at + 1 + following);
  }
  return end;
}

export interface QuotedOutput {
  said?: string;
  hint?: Reason;
}

export type Quote = ReturnType<typeof createQuote>;

/**
 * Forwards a command's output lines as they arrive, and keeps those that explain its end: a reason quotes them in its
 * parameter `said`. `hintOf` finds a hint in the output, for the parameter `hint`.
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
  let received: string[] = [];
  const quoted = (choose: typeof significantLines): QuotedOutput => {
    const lines = choose(received.map((line) => sanitizedOutput(line, hide)));
    const hint = hintOf?.(received);
    return { ...(lines.length > 0 && { said: lines.join(' | ') }), ...(hint && { hint }) };
  };
  return {
    add(lines: readonly string[]): void {
      output(lines);
      received = received.concat(lines).slice(-MOST_LISTENED);
    },
    /** Parameters for the reason why a command ended; empty without output. */
    params: (): QuotedOutput => quoted(significantLines),
    /** Parameters for a reason about a process that is still running. */
    latest: (): QuotedOutput => quoted(latestLines),
  };
}

function short(line: string): string {
  const text = line.trim();
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
