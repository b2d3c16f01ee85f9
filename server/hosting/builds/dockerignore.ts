// Rules of .dockerignore, as Docker reads them: https://docs.docker.com/build/concepts/context/#dockerignore-files

export class UnreadableIgnore extends Error {
  readonly line: string;

  constructor(line: string) {
    super(`a line of it can't be read: ${line}`);
    this.line = line;
  }
}

export interface IgnoreRules {
  /** True if the .dockerignore excludes a path, by itself or with a folder that contains it. */
  has(path: string): boolean;
  /** True if an excluded folder may contain files that are not excluded. */
  hasExceptions: boolean;
}

interface Rule {
  pattern: RegExp;
  isException: boolean;
}

/** Parses the text of a .dockerignore. Throws an UnreadableIgnore. */
export function parseDockerignore(text: string): IgnoreRules {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => ruleOf(line.trim()) ?? []);
  const matches = (path: string, { pattern }: Rule): boolean => {
    const parts = path.split('/');
    return parts.some((_, index) => pattern.test(parts.slice(0, index + 1).join('/')));
  };
  return {
    has: (path) => rules.findLast((rule) => matches(path, rule))?.isException === false,
    hasExceptions: rules.some(({ isException }) => isException),
  };
}

function ruleOf(line: string): Rule | undefined {
  const isException = line.startsWith('!');
  const pattern = cleanPath(isException ? line.slice(1).trim() : line);
  if (pattern === '') {
    if (isException) throw new UnreadableIgnore(line);
    return undefined;
  }
  try {
    return { pattern: new RegExp(`^${expressionOf(pattern)}$`, 's'), isException };
  } catch {
    throw new UnreadableIgnore(line);
  }
}

/**
 * Removes redundant parts such as `.` from a pattern's path. Nothing remains of the pattern `.`, which is no rule then.
 */
function cleanPath(pattern: string): string {
  const parts: string[] = [];
  for (const part of pattern.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '..') parts.push(part);
  }
  return parts.join('/');
}

function expressionOf(pattern: string): string {
  let expression = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const [deep] = /^\*\*+\/?/.exec(rest) ?? [];
    const [set] = /^\[[^\]]+\]/.exec(rest) ?? [];
    if (deep !== undefined) {
      expression += at + deep.length === pattern.length ? '.*' : '(.*/)?';
      at += deep.length - 1;
    } else if (set !== undefined) {
      expression += set;
      at += set.length - 1;
    } else if (rest[0] === '*') expression += '[^/]*';
    else if (rest[0] === '?') expression += '[^/]';
    else if (rest[0] === '\\' && rest.length > 1) {
      expression += escapeCharacter(rest[1] ?? '');
      at += 1;
    } else expression += escapeCharacter(rest[0] ?? '');
  }
  return expression;
}

function escapeCharacter(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
