import type { Application, PlanForecast, UpdateApplicationData } from 'simcha-client';

export type SiteChanges = NonNullable<UpdateApplicationData['body']>;

/** Lines of a plan that a user may change, by the application's field. */
export const LINES = ['type', 'node', 'install', 'build', 'start', 'publish', 'port', 'health_path'] as const;
export type Line = (typeof LINES)[number];
export type LineValues = Record<Line, string>;

type Plan = NonNullable<PlanForecast['plan']>;

/** Values of a plan's lines as text; empty for a line that the plan does not have. */
export function linesOf(
  plan: Plan,
  { node }: Pick<Application, 'node'>,
  { findings }: Pick<PlanForecast, 'findings'>,
): LineValues {
  // A site in several languages has several commands of a kind, and a changed line replaces them. Steps that install a
  // package manager run in any case, and are no lines.
  const commandOf = (step: 'install' | 'build') =>
    findings
      .filter(({ kind, line }) => kind === 'line' && line === step)
      .map(({ value }) => value ?? '')
      .join(' && ');
  return {
    type: plan.type,
    node: node ?? '',
    install: commandOf('install'),
    build: commandOf('build'),
    start: plan.processes.web ?? '',
    publish: plan.publish.length === 1 ? (plan.publish[0] ?? '') : '',
    port: plan.port === null ? '' : String(plan.port),
    health_path: plan.health_path,
  };
}

/** Lines that make sense for a kind of site: static sites are not started, servers publish no folder. */
export function linesFor({
  type,
  dockerfile,
  image,
}: Pick<Plan, 'type' | 'dockerfile' | 'image'>): readonly Line[] {
  if (image) return ['start', 'port', 'health_path'];
  if (dockerfile) return ['port', 'health_path'];
  return type === 'static'
    ? ['type', 'node', 'install', 'build', 'publish']
    : ['type', 'node', 'install', 'build', 'start', 'port', 'health_path'];
}

/** Value of a line that comes from the image itself, which applies while the line is empty. */
export function valueInImage({ findings }: Pick<PlanForecast, 'findings'>, line: string): string | undefined {
  return findings.find((finding) => finding.line === line && finding.by === 'image')?.value ?? undefined;
}

/** Origins of a line, such as `package.json`; undefined for a default. */
export function originOf({ findings }: Pick<PlanForecast, 'findings'>, line: Line): string | undefined {
  const origins = findings
    .filter((finding) => finding.kind === 'line' && finding.line === line && finding.by !== 'settings')
    .flatMap(({ by }) => by ?? []);
  return origins.length > 0 ? [...new Set(origins)].join(', ') : undefined;
}

/** Changes of the site that make the plan have these lines. An emptied line is recognised again. */
export function changesFrom(before: LineValues, now: LineValues): SiteChanges {
  const changed = LINES.filter((line) => now[line].trim() !== before[line]);
  return Object.fromEntries(changed.map((line) => [line, fieldOf(line, now[line].trim())]));
}

function fieldOf(line: Line, text: string): string | number | null {
  if (text === '') return null;
  return line === 'port' ? Number(text) : text;
}
