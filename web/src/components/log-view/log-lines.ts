import { withoutColors } from './ansi.ts';

/** Kind of a log line, which decides its color: of errors, warnings, commands and good news. */
export type Level = 'error' | 'warning' | 'command' | 'success' | 'plain';

export interface LogEntry {
  /** Time as in the log, an ISO instant; empty if the line has none. */
  time: string;
  /** Step of a deployment, such as `build`; empty if the line names none. */
  step: string;
  /** Process of a site that wrote the line, such as `worker.2`; empty if the site has a single one. */
  process: string;
  /** Text behind the time and the step or process, with its colors. */
  text: string;
  /** Text without colors. */
  plain: string;
  level: Level;
}

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) (?:\[([a-z-]+)\] ?)?/;

/** Name of a process and the number of its replica, before the output of a site with several. */
const PROCESS = /^([a-z][a-z0-9-]{0,30}\.\d+) \| /;

/** Parses a line of a deployment's log (`<time> [<step>] <text>`), or of a site's (`<time> <text>`). */
export function parseLine(line: string, hasSteps: boolean): LogEntry {
  const [head = '', time = '', step = ''] = LINE.exec(line) ?? [];
  const isOfStep = hasSteps && step !== '';
  const rest = line.slice(isOfStep || time === '' ? head.length : time.length + 1);
  const [prefix = '', process = ''] = (!hasSteps && PROCESS.exec(rest)) || [];
  const text = rest.slice(prefix.length);
  const plain = withoutColors(text);
  return { time, step: isOfStep ? step : '', process, text, plain, level: levelOf(plain) };
}

/** Patterns of each level, in order: the first level with a match counts. */
const PATTERNS: readonly (readonly [Level, RegExp])[] = [
  [
    'error',
    /^(npm (error|ERR!)|failed: |failed after |fatal: |panic: |Traceback \(|✖|✘|✗|❌)|\b(ERROR|FATAL|CRITICAL)\b|(^|[\s(])([A-Z]\w*)?(Error|Exception)(:| \[)|^\s*(error|err)\b[\s:![]|\berror TS\d+|\bERR_[A-Z_]+|"level":(50|60)\b|"level":"(error|fatal)"|cannot find module|command not found|segmentation fault/i,
  ],
  [
    'warning',
    /^(npm warn|warning|warn|⚠)\b|\b(WARN|WARNING|DeprecationWarning)\b|"level":40\b|"level":"warn/i,
  ],
  ['command', /^[$>] \S/],
  ['success', /^(✓|✔|live at |answers at |done in )/],
];

/** Lines that only look like errors, such as a count of none. */
const HARMLESS = /\b(0|no) errors?\b|errors?: 0\b/i;

function levelOf(text: string): Level {
  for (const [level, pattern] of PATTERNS)
    if (pattern.test(text) && !(level === 'error' && HARMLESS.test(text))) return level;
  return 'plain';
}
