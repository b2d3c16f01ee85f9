import type { Hide } from './redaction.ts';
import { shown } from './shown.ts';

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
    // Programs of node, of Python, pip, and the shell.
    /^(ERROR|\w*Error|Uncaught \w*Error)( \[\w+\])?: \S/,
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
  /^npm (error|ERR!) (A complete log|path |command |workspace |location |in workspace|Lifecycle script|Exit status|errno |signal |aliases?:|Usage:|Options:|Run "npm help|\[-|npm (ci|install|run)$|Clean install a project|Note that you can|Try running)/,
  // Blank, or of the list of its options.
  /^npm (error|ERR!)(\s*$|\s{2,}| \[)/,
  /^npm (notice|warn)\b/i,
  // pip says one for each time that it tries again.
  /^WARNING: Retrying \(/,
  // What a manager says that it runs.
  /^[>$] /,
  /^info Visit /,
  /\bELIFECYCLE\b|exited? with (exit )?code \d|^error Command failed/i,
  /^(\s+at |node:internal|Node\.js v\d)/,
];

/** What says it comes at the end, or not long before. */
const MOST_LISTENED = 2_000;
const MOST_READ = 1_000;
const MOST_LINES = 4;
const LONGEST_LINE = 240;
const LAST = 2;

/** The few lines of a failed command's output that matter; the last ones where none is known to. */
export function tellingLines(output: readonly string[]): string[] {
  const lines = [...new Set(output.map((line) => line.slice(0, MOST_READ).trimEnd()))].filter(
    (line) => line.trim() !== '' && !NOISE.some((noise) => noise.test(line)),
  );
  for (const rules of TELLING) {
    const isTelling = (line = '') => rules.some((rule) => rule.test(line.trimStart()));
    const found = lines.filter(
      (line, at) => isTelling(line) || (isTelling(lines[at - 1]) && isBegun(lines[at - 1])),
    );
    if (found.length > 0) return found.slice(0, MOST_LINES).map(short);
  }
  return lines.slice(-LAST).map(short);
}

/** Such as "error during build:", of which the next line says what. */
const isBegun = (line = '') => line.endsWith(':');

export type Quote = ReturnType<typeof createQuote>;

/** Hands on what is written, lines that come by and by, and keeps what the parameter `said` of a reason quotes. */
export function createQuote({ hide, output }: { hide: Hide; output(lines: readonly string[]): void }) {
  let heard: string[] = [];
  return {
    hear(lines: readonly string[]): void {
      output(lines);
      heard = heard.concat(lines).slice(-MOST_LISTENED);
    },
    /** Nothing where nothing was said. */
    params(): { said?: string } {
      const telling = tellingLines(heard.map((line) => shown(line, hide)));
      return telling.length > 0 ? { said: telling.join(' | ') } : {};
    },
  };
}

function short(line: string): string {
  const text = line.trim();
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
