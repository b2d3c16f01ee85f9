import { HEADER_LIMITS } from './headers.ts';
import type { RuleProblem, RuleProblemKind } from './problems.ts';
import { REDIRECT_LIMITS } from './redirects.ts';

const WHY: Readonly<Record<RuleProblemKind, (name: string) => string>> = {
  address: () => 'a rule is for paths of this site, which begin with /',
  path: () =>
    'a path begins with /, has placeholders as whole parts (/:name) and at most one *, in its last part',
  query: () => 'conditions on the query are not supported',
  target: () => 'it needs a target: a path that begins with one /, or an http(s) address whose host is fixed',
  status: () => 'a status is 200, 301, 302, 303, 307, 308 or 404, optionally with a !, and comes last',
  condition: () => 'conditions such as Country= or Language= are not supported',
  proxy: () => 'another server’s page can’t be shown here (200); use a redirect (302)',
  hidden: () => 'names that begin with a dot are never served',
  too_long: () =>
    `a line has at most ${REDIRECT_LIMITS.line} characters in _redirects and ${HEADER_LIMITS.line} in _headers`,
  too_many: () =>
    `there are at most ${REDIRECT_LIMITS.rules} rules in _redirects, and ${HEADER_LIMITS.paths} paths with ${HEADER_LIMITS.headers} headers in _headers`,
  too_many_patterns: () => `at most ${REDIRECT_LIMITS.patterns} rules have a placeholder or a *`,
  header: () => 'a header is a line of "Name: value"',
  no_path: () => 'a header must be below the path that it applies to',
  value: (name) => `the value of ${name} is empty, or has characters that no header can carry`,
  owned: (name) => `only the server sets ${name}`,
};

/** Lines of a deployment's log about a static site's rules. */
export const messages = {
  passedOver: (file: string, { line, why, name }: RuleProblem): string =>
    `${file}, line ${line} is ignored: ${WHY[why](name ?? '')}.`,
  morePassedOver: (file: string, count: number): string => `${file}: ${count} more lines are ignored.`,
  tooLarge: (file: string, bytes: number): string =>
    `${file} is ignored: it is larger than ${bytes / 1024} KiB.`,
} as const;
