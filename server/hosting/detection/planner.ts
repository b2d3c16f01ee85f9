import type { DockerfileSupport } from '../../kernel/config.ts';
import { dockerfileRefusal } from '../model/dockerfile-refusal.ts';
import type { Finding, FindingSource, PlanLine } from '../model/finding.ts';
import {
  type BuildPlan,
  LONGEST_COMMAND,
  type Plan,
  type PlanSettings,
  type RunPlan,
  type Source,
  type Step,
  WEB,
} from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type ReasonCode, reason } from '../model/reasons/reason.ts';
import { type Development, developmentIn } from './development.ts';
import { findDockerfile, ineffectiveSettings, type OwnDockerfile } from './dockerfile.ts';
import { type Framework, frameworkOf } from './frameworks.ts';
import { type LanguageChoice, languageOf } from './language-choice.ts';
import { programsOf } from './languages.ts';
import { type Manager, managerOf, needsInstall } from './managers.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { nodeIn, nodeRange } from './node-version.ts';
import { PLAN_FILE, type PlanFile, readPlanFile } from './plan-file.ts';
import { type PlatformPlan, platformPlanOf } from './platform-files.ts';
import { type Procfile, readProcfile } from './procfile.ts';
import { templateMark } from './unbuilt.ts';
import { findHint } from './unsupported-sources.ts';

/** Usual output folders of builds. */
export const BUILT_FOLDERS = ['dist', 'build', 'out', 'public'] as const;
/** Further output folders of builds: nested folders, or folders of single frameworks. */
const OTHER_BUILT_FOLDERS = [
  '_site',
  '.output/public',
  'build/client',
  'dist/client',
  'docs/.vitepress/dist',
];

/** Usual name of a server's main file in sources without a package.json. */
const USUAL_ENTRY = 'server.js';

/** Input for making a plan: the source's content and the application's settings. */
interface PlanInput {
  source: Source;
  manifest: Manifest | undefined;
  /** The package.json of the workspace (monorepo) that contains the site's package. */
  workspaceManifest: Manifest | undefined;
  manager: Manager | undefined;
  framework: Framework | undefined;
  /** Language of the source, if it is not JavaScript. */
  language: LanguageChoice | undefined;
  file: PlanFile;
  procfile: Procfile;
  settings: PlanSettings;
  platform: PlatformPlan;
}

/** Chosen value of a plan, and the setting or file that it comes from. */
interface Decided<T> {
  value: T;
  by: FindingSource;
}

export interface PlanningOptions {
  /** Whether sources are built with their own Dockerfiles. */
  dockerfiles: DockerfileSupport;
  /** Default version of Node.js; absent: the server's own version. */
  defaultNode?: string;
}

/** Plans how a source becomes a site. Throws RuntimeFailure that lists the places that were searched. */
export function planOf(
  source: Source,
  settings: PlanSettings,
  { dockerfiles, defaultNode }: PlanningOptions = { dockerfiles: 'off' },
): Plan {
  const { [PLAN_FILE]: planText, Procfile: processText } = source.texts;
  const file = planText === undefined ? { processes: {} } : readPlanFile(planText);
  const procfile = processText === undefined ? { processes: {} } : readProcfile(processText);
  const input = { source, settings, file, procfile, platform: platformPlanOf(source.texts) };
  const found = findDockerfile(source, settings, file);
  if (!found || 'kind' in found) {
    const { findings, ...plan } = planByFiles(input, defaultNode);
    return { ...plan, findings: [...(found ? [found] : []), ...findings] };
  }
  if (dockerfiles === 'built') return planByDockerfile(input, found);
  const { file: value } = found.plan;
  try {
    const { findings, ...plan } = planByFiles(input, defaultNode);
    return { ...plan, findings: [{ kind: UNBUILT[dockerfiles], value }, ...findings] };
  } catch (error) {
    if (!(error instanceof RuntimeFailure) || !NOTHING_ELSE.has(error.reason.code)) throw error;
    throw new RuntimeFailure(
      dockerfiles === 'off'
        ? reason('dockerfile_unbuilt', { file: value, why: error.reason })
        : dockerfileRefusal(dockerfiles, value),
    );
  }
}

const UNBUILT = { off: 'dockerfile_unbuilt', open_registration: 'dockerfile_untrusted' } as const;

/** Reasons why a source can only be built with its Dockerfile. */
const NOTHING_ELSE: ReadonlySet<string> = new Set<ReasonCode>([
  ...(['nothing_found', 'nothing_found_in_package', 'only_development', 'unbuilt_page'] as const),
  ...(['no_start', 'no_start_in_language', 'needs_server', 'needs_adapter'] as const),
]);

type Named = Pick<PlanInput, 'source' | 'settings' | 'file' | 'procfile' | 'platform'>;

/** Plan for a build with the source's Dockerfile, whose instructions are read by the build tool. */
function planByDockerfile(named: Named, { plan, by }: OwnDockerfile): Plan {
  const none = { manifest: undefined, workspaceManifest: undefined, manager: undefined };
  const input: PlanInput = { ...named, ...none, framework: undefined, language: undefined };
  const findings: Finding[] = [];
  const record = createRecorder(findings);
  record('dockerfile', { value: plan.file, by });
  if (plan.target !== undefined) record('target', { value: plan.target, by });
  if (plan.args) record('args', { value: Object.keys(plan.args).join(', '), by });
  const { build, run } = serverOf(input, namedStart(input), [], record);
  refuseAllUnusable(build, run);
  findings.push(...ineffectiveSettings(input.settings, input.file));
  return { build: { ...build, dockerfile: plan }, run, findings };
}

function planByFiles(named: Named, defaultNode: string | undefined): Plan {
  const { source } = named;
  const { 'package.json': packageText } = source.texts;
  const manifest = manifestOf(packageText);
  const workspaceManifest = manifest && manifestOf(source.workspace?.texts['package.json']);
  const all: PlanInput = {
    ...named,
    manifest,
    workspaceManifest,
    manager: manifest && managerOf(source.workspace?.files ?? source.files, workspaceManifest ?? manifest),
    framework: manifest && frameworkOf({ ...manifest, ...source }),
    language: languageOf(source),
  };
  const findings: Finding[] = [];
  const kind = kindOf(all, findings);
  const input = { ...all, language: isLanguageRelevant(all, kind) ? all.language : undefined };
  findings.unshift(...recognised(all, input.language));
  findings.push(...unserved(input, kind));
  findings.push(...unused(input));
  const record = createRecorder(findings);

  record('type', { value: kind.kind, by: kind.by });
  const installs = installsOf(input);
  const builds = buildsOf(input);
  const isLanguageUsed = usesLanguage(input, [
    ...installs,
    ...builds,
    ...(kind.kind === 'server' ? [kind.start] : []),
  ]);
  const steps = (['install', 'build'] as const).flatMap((name): Step[] => {
    const commands = (name === 'install' ? installs : builds).flatMap((one) => record(name, one) || []);
    const brings = name === 'install' && isLanguageUsed ? input.language?.language.brings : undefined;
    return [
      ...(brings === undefined ? [] : [{ name, command: brings }]),
      ...commands.map((command) => ({ name, command, ...folderOf(name, command, input) })),
    ];
  });
  const unlocked = unlockedManifest(input, steps);
  if (unlocked !== undefined) findings.push({ kind: 'unlocked', by: unlocked });
  const caches = cachesOf(input, steps);
  if (caches) record('caches', caches, caches.value.join(', '));
  const languagePrograms = isLanguageUsed ? input.language?.programs : undefined;
  const programs = languagePrograms ?? (kind.kind === 'server' ? programsOf(kind.start.value) : []);
  const variables = variablesOf(input, kind);
  const node =
    steps.length > 0 || kind.kind === 'server' ? record('node', nodeOf(input, defaultNode)) : undefined;
  const range = node === undefined ? undefined : nodeRange(node);
  const { build, run } =
    kind.kind === 'server'
      ? serverOf(input, kind.start, steps, record)
      : staticOf(input, steps, record, findings);
  refuseAllUnusable(build, run);
  return {
    build: {
      ...build,
      steps: [...managerSteps(input, build, run), ...build.steps],
      ...(caches && { caches: caches.value }),
      ...(range !== undefined && { node: range }),
      ...(programs.length > 0 && { programs }),
      ...(variables && { variables }),
    },
    run: { ...run, ...(variables && { variables }) },
    findings,
  };
}

/**
 * Folder in which a command of the plan runs: the folder with the lockfile for an install command that was detected,
 * the site's root for all others.
 */
function folderOf(name: Step['name'], command: string, { manager, source }: PlanInput): Pick<Step, 'at'> {
  const at = name === 'install' && command === manager?.install ? source.workspace?.at : undefined;
  return { ...(at !== undefined && { at }) };
}

/** File of dependencies that are installed without a lockfile, and therefore in the newest allowed versions. */
function unlockedManifest(
  { manager, manifest, language }: PlanInput,
  steps: readonly Step[],
): string | undefined {
  const runs = (own: readonly (string | undefined)[]) => steps.some(({ command }) => own.includes(command));
  if (manager && !manager.isLocked && manifest?.dependencies.size !== 0 && runs([manager.install])) {
    return 'package.json';
  }
  return language?.isUnlocked && runs([...language.install, language.build]) ? language.by : undefined;
}

/** Environment variables that the language needs, and that a server's framework needs. */
function variablesOf({ language, framework }: PlanInput, { kind }: Kind): Plan['run']['variables'] {
  const ofServer = kind === 'server' ? framework?.variables : undefined;
  return (language?.variables || ofServer) && { ...language?.variables, ...ofServer };
}

/** True if one of the commands chosen for the site is a default of the site's language. */
function usesLanguage({ language }: PlanInput, decided: readonly Decided<string>[]): boolean {
  const own = language ? [...language.install, language.build, language.start] : [];
  return decided.some(({ value }) => own.includes(value));
}

/**
 * True if the plan uses the detected language. A static site, or a source with a package.json, uses it only with a
 * further sign: a framework of that language for this kind of site, or a command in the settings.
 */
function isLanguageRelevant(input: PlanInput, kind: Kind): boolean {
  const { language, manifest, settings, file } = input;
  if (!language) return false;
  const isSite = language.framework?.row.kind === kind.kind;
  if (kind.kind === 'static') return isSite || (settings.build ?? file.build) !== undefined;
  return isSite || !manifest || namedStart(input) !== undefined;
}

/** Static files of a framework that nothing serves in production. */
function unserved({ language }: PlanInput, { kind }: Kind): Finding[] {
  const { unserved: [value] = [], framework } = language ?? {};
  if (kind !== 'server' || value === undefined || !framework) return [];
  return [{ kind: 'unserved', framework: framework.row.name, value }];
}

/** Scripts that Heroku runs before and after an installation. */
const AROUND = ['heroku-prebuild', 'heroku-cleanup'];

/** Settings for other platforms that have no effect on this platform. */
function unused({ platform, manifest }: PlanInput): Finding[] {
  const scripts = AROUND.filter((name) => manifest?.scripts[name] !== undefined);
  return [...platform.passedOver, ...scripts.map((value) => ({ value, by: 'package.json' }))].map((one) => ({
    kind: 'passed_over' as const,
    ...one,
  }));
}

function recognised(
  { framework, language: found }: PlanInput,
  language: LanguageChoice | undefined,
): Finding[] {
  return [
    ...(framework ? [foundFramework(framework)] : []),
    ...(found ? foundLanguage(found, language !== undefined) : []),
  ];
}

function foundLanguage({ language, by, framework, programs }: LanguageChoice, counts: boolean): Finding[] {
  const { name, source } = language;
  if (!counts) return [{ kind: 'language_idle', language: name, by }];
  const asked = programs.flatMap((program) =>
    (program.asked ?? []).map(
      ({ version, by }): Finding => ({ kind: 'version', language: program.name, value: version, by }),
    ),
  );
  return [
    { kind: 'language', language: name, by, source },
    ...(framework && framework.row.name !== name
      ? [
          {
            kind: 'framework' as const,
            framework: framework.row.name,
            by: framework.by || by,
            source: framework.row.source,
          },
        ]
      : []),
    ...asked,
  ];
}

function manifestOf(text: string | undefined): Manifest | undefined {
  return text === undefined ? undefined : readManifest(text);
}

/**
 * Version of Node.js for a site: the owner's setting, else the version requested by a Node.js source, else the newest
 * LTS.
 */
function nodeOf(
  { settings, file, source, manifest, workspaceManifest }: PlanInput,
  defaultNode: string | undefined,
): Decided<string> | undefined {
  return (
    first(['settings', settings.node], [PLAN_FILE, file.node]) ??
    (manifest && nodeIn(source, manifest, workspaceManifest)) ??
    first(['lts', defaultNode])
  );
}

type RecordLine = <T>(line: PlanLine, decided: Decided<T> | undefined, display?: string) => T | undefined;

function createRecorder(findings: Finding[]): RecordLine {
  return (line, decided, display = String(decided?.value)) => {
    if (decided) findings.push({ kind: 'line', line, value: display, by: decided.by });
    return decided?.value;
  };
}

/** Returns the first of the candidates that has a value, with the setting or file that the value comes from. */
function first<T>(
  ...candidates: readonly (readonly [FindingSource, T | null | undefined])[]
): Decided<T> | undefined {
  for (const [by, value] of candidates) if (value !== undefined && value !== null) return { value, by };
  return undefined;
}

function foundFramework({ name, packages, source }: Framework): Finding {
  return { kind: 'framework', framework: name, by: packages.join(', '), source };
}

type Kind =
  | { kind: 'server'; start: Decided<string>; by: FindingSource }
  | { kind: 'static'; by: FindingSource };

function kindOf(input: PlanInput, findings: Finding[]): Kind {
  const { settings, file } = input;
  const type = first(['settings', settings.type], [PLAN_FILE, file.type]);
  if (type?.value === 'static') return { kind: 'static', by: type.by };
  const start = namedStart(input);
  const isServer = type?.value === 'server';
  const publish = namedPublish(input);
  if (start && (isServer || !publish || ORDER.indexOf(start.by) <= ORDER.indexOf(publish.by))) {
    return { kind: 'server', start, by: isServer ? type.by : start.by };
  }
  if (publish && !isServer) return { kind: 'static', by: publish.by };
  const { language } = input;
  if (language?.framework?.row.kind === 'static' && !isServer) return { kind: 'static', by: 'framework' };
  const found: Decided<string> | undefined =
    language?.start === undefined
      ? foundStart(input, findings)
      : { value: language.start, by: language.framework?.row.packages ? 'framework' : 'files' };
  if (found) return { kind: 'server', start: found, by: isServer ? type.by : found.by };
  // A source with a list of packages (such as requirements.txt) and an HTML page is a static site, unless it has a
  // server framework.
  const isMeant = language && (language.framework || isServer || (!input.manifest && !hasPage(input.source)));
  if (isMeant) throw new RuntimeFailure(language.lacks);
  if (isServer) throw new RuntimeFailure(reason('no_start'));
  return { kind: 'static', by: input.framework ? 'framework' : 'files' };
}

function hasPage({ files }: Source): boolean {
  return folderWithIndex(['', ...BUILT_FOLDERS], (path) => files.has(path)) !== undefined;
}

const ORDER: readonly FindingSource[] = ['settings', PLAN_FILE, 'Procfile'];

/** Start command set by the owner. */
function namedStart({ settings, file, procfile }: PlanInput): Decided<string> | undefined {
  return first(
    ['settings', settings.start],
    [PLAN_FILE, file.processes[WEB]],
    ['Procfile', procfile.processes[WEB]],
  );
}

function namedPublish({ settings, file }: PlanInput): Decided<string> | undefined {
  return first(['settings', settings.publish], [PLAN_FILE, file.publish]);
}

/** Detected start command. Throws RuntimeFailure if the framework's output can't run here. */
function foundStart(input: PlanInput, findings: Finding[]): Decided<string> | undefined {
  const { source, manifest, manager, framework, language } = input;
  if (!manifest || !manager) return language ? undefined : loneStart(source);
  const { scripts } = manifest;
  const fits = (name: string) => scripts[name] !== undefined && !framework?.unfit?.test(scripts[name]);
  const development = developmentOf(input);
  const isStart = fits('start') && !development;
  if (development) {
    findings.push({ kind: 'development', script: scripts.start ?? '', tool: development.tool });
  }
  if (isStart) return { value: startScript('start', scripts, manager), by: 'package.json' };
  const ready = (framework?.startScripts ?? [])
    .concat('start:prod', 'start:production')
    .flatMap((name) =>
      Object.keys(scripts).filter((one) => (name.endsWith(':') ? one.startsWith(name) : one === name)),
    )
    .find((name) => fits(name) && !developmentIn(scripts[name] ?? '', scripts));
  if (ready) return { value: startScript(ready, scripts, manager), by: 'package.json' };
  if (framework?.needs) {
    const { name, needs } = framework;
    throw new RuntimeFailure(reason('needs_adapter', { framework: name, packages: needs.join(', ') }));
  }
  if (framework?.start) return { value: framework.start, by: 'framework' };
  if (framework?.kind === 'static') return undefined;
  if (development?.instead) return { value: development.instead, by: 'package.json' };
  const entry = entryOf(source, manifest, framework);
  return entry === undefined ? undefined : { value: `node ${entry}`, by: 'files' };
}

/** Start command of a program without a package.json, which needs only Node.js. */
function loneStart({ files }: Source): Decided<string> | undefined {
  return files.has(USUAL_ENTRY) ? { value: `node ${USUAL_ENTRY}`, by: 'files' } : undefined;
}

function developmentOf({ manifest, framework }: PlanInput): Development | undefined {
  const scripts = manifest?.scripts ?? {};
  return scripts.start === undefined || framework?.unfit?.test(scripts.start)
    ? undefined
    : developmentIn(scripts.start, scripts);
}

/**
 * Entry file of a package without a start script; further usual file names count if a server framework is among the
 * dependencies.
 */
function entryOf(
  { files }: Source,
  { main }: Manifest,
  framework: Framework | undefined,
): string | undefined {
  const usual = framework?.kind === 'server' ? [main ?? '', 'index.js', 'app.js'] : [];
  return [USUAL_ENTRY, ...usual].find((name) => /^[\w.-]+\.[cm]?js$/.test(name) && files.has(name));
}

/**
 * Command that starts the site by a script of its package.json. Without pre and post scripts, it is the text of the
 * script itself: a package manager that runs the script would need 60 MB of memory for as long as the site runs.
 */
function startScript(name: string, scripts: Readonly<Record<string, string>>, manager: Manager): string {
  const isAlone = scripts[`pre${name}`] === undefined && scripts[`post${name}`] === undefined;
  return isAlone ? (scripts[name] ?? '') : manager.run(name);
}

/** Steps that install a missing package manager, if a command of the plan needs it. */
function managerSteps({ manager, source }: PlanInput, build: BuildPlan, run: RunPlan): Step[] {
  const { brought } = manager ?? {};
  if (!brought) return [];
  const all = [...commandsOf(build, run), ...(run.cron ?? []).map(({ command }) => command)];
  if (!all.some((command) => brought.isNeededBy.test(command))) return [];
  const at = source.workspace?.at;
  return [{ name: 'install', command: brought.command, ...(at !== undefined && { at }) }];
}

/** Install commands of a source: the command in the owner's settings, or all detected ones. */
function installsOf({ settings, file, manifest, manager, source, language }: PlanInput): Decided<string>[] {
  const named = first(['settings', settings.install], [PLAN_FILE, file.install]);
  if (named) return [named];
  const isNeeded = manifest && (source.workspace !== undefined || needsInstall(source.files, manifest));
  const found = first([
    manager?.isLocked ? 'lockfile' : 'package.json',
    isNeeded ? manager?.install : undefined,
  ]);
  return [
    ...(found ? [found] : []),
    ...(language?.install ?? []).map((value) => ({ value, by: language?.by ?? '' })),
  ];
}

/** Build commands; the package's build runs first, so that the language's build finds its output. */
function buildsOf(input: PlanInput): Decided<string>[] {
  const { settings, file, manifest, manager, framework, language } = input;
  const named = first(['settings', settings.build], [PLAN_FILE, file.build]) ?? platformBuild(input);
  if (named) return [named];
  // Heroku runs `heroku-postbuild` in place of `build`:
  // https://devcenter.heroku.com/articles/nodejs-support#customizing-the-build-process
  const script = ['heroku-postbuild', 'build', ...(framework?.buildScripts ?? [])].find(
    (name) => manifest?.scripts[name] !== undefined,
  );
  const found = first(
    ['package.json', script === undefined ? undefined : manager?.run(script)],
    ['framework', framework?.build],
  );
  return [found, first(['framework', language?.build])].filter((one) => one !== undefined);
}

const RUNS_SCRIPT = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?([\w:.-]+)$/;

/**
 * Build command from the settings file of another hosting platform. If it runs a script of the package.json, the
 * source's own package manager runs the script. A build command of the source's language takes precedence, because only
 * that command uses the site's own address.
 */
function platformBuild({ platform, manifest, manager, language }: PlanInput): Decided<string> | undefined {
  const { build } = platform;
  if (!build || language?.build !== undefined) return undefined;
  const [, script = ''] = RUNS_SCRIPT.exec(build.value) ?? [];
  return manager && manifest?.scripts[script] !== undefined
    ? { ...build, value: manager.run(script) }
    : build;
}

function cachesOf(
  { file, framework }: PlanInput,
  steps: readonly Step[],
): Decided<readonly string[]> | undefined {
  const named = first([PLAN_FILE, file.caches], ['framework', framework?.caches]);
  return named?.value.length && steps.some(({ name }) => name === 'build') ? named : undefined;
}

function serverOf(
  input: PlanInput,
  start: Decided<string> | undefined,
  steps: readonly Step[],
  record: RecordLine,
): Pick<Plan, 'build' | 'run'> {
  const { settings, file, procfile } = input;
  const framework = input.language?.start === start?.value ? undefined : input.framework;
  record('start', start);
  const others = { ...procfile.processes, ...file.processes };
  for (const [name, command] of Object.entries(others)) {
    if (name === WEB) continue;
    record(
      'processes',
      { value: command, by: name in file.processes ? PLAN_FILE : 'Procfile' },
      `${name}: ${command}`,
    );
  }
  const port = record(
    'port',
    first(['settings', settings.port], [PLAN_FILE, file.port], ['framework', framework?.port]),
  );
  const health = record('health', first([PLAN_FILE, file.health], ['framework', framework?.health]));
  const release = record('release', first([PLAN_FILE, file.release], ['Procfile', procfile.release]));
  for (const { name, schedule, command } of file.cron ?? []) {
    record('cron', { value: name, by: PLAN_FILE }, `${name} (${schedule}): ${command}`);
  }
  return {
    build: { kind: 'server', steps, publish: [] },
    run: {
      processes: { ...others, [WEB]: start?.value ?? '' },
      ...(port !== undefined && { port }),
      ...(health !== undefined && { health }),
      ...(release !== undefined && { release }),
      ...(file.cron?.length && { cron: file.cron }),
    },
  };
}

function staticOf(
  input: PlanInput,
  steps: readonly Step[],
  record: RecordLine,
  findings: Finding[],
): Pick<Plan, 'build' | 'run'> {
  const { source, settings, file, procfile, framework } = input;
  const isBuilt = steps.some(({ name }) => name === 'build');
  const named = namedPublish(input);
  const { publish: platform } = input.platform;
  const ours = framework?.kind === 'static' ? (framework.publish ?? []) : [];
  const known = [...(platform ? [platform.value] : []), ...(input.language?.framework?.row.publish ?? ours)];
  const usual = [...BUILT_FOLDERS, ...OTHER_BUILT_FOLDERS];
  const folders = named
    ? [named.value]
    : isBuilt
      ? [...new Set([...known, ...usual, ''])].filter((folder) => markIn(source, folder) === undefined)
      : [...new Set([...(platform ? [platform.value] : []), '', ...known, ...usual])];
  if (!named && !isBuilt) refuseUnbuilt(input, folders);
  record('publish', named ?? platform ?? first(['framework', known[0]]), (named?.value ?? known[0]) || '.');
  const asked = first(['settings', settings.spa], [PLAN_FILE, file.spa]);
  const spa = spaOf(asked?.value ?? 'auto', framework);
  if (asked || spa) record('spa', asked ?? { value: 'auto', by: 'framework' });
  const { [WEB]: web, ...others } = { ...procfile.processes, ...file.processes };
  const idle: [PlanLine, string | undefined][] = [
    ['start', web],
    ...Object.entries(others).map(([name, one]): [PlanLine, string] => ['processes', `${name}: ${one}`]),
    ['release', file.release ?? procfile.release],
    ...(file.cron ?? []).map(({ name }): [PlanLine, string] => ['cron', name]),
  ];
  for (const [line, value] of idle)
    if (value !== undefined) findings.push({ kind: 'files_only', line, value });
  return {
    build: { kind: 'static', steps, publish: folders },
    run: { processes: {}, ...(spa && { spa }) },
  };
}

/** Throws if the source has no page that can be published without a build, or only an unfilled template. */
function refuseUnbuilt(input: PlanInput, folders: readonly string[]): void {
  const { source, manifest } = input;
  const folder = folderWithIndex(folders, (path) => source.files.has(path));
  if (folder === undefined) {
    const development = developmentOf(input);
    if (development) {
      const script = manifest?.scripts.start ?? '';
      throw new RuntimeFailure(reason('only_development', { script, tool: development.tool }));
    }
    const hint = findHint(source);
    const looked = { folders: BUILT_FOLDERS.join(', '), ...(hint && { hint }) };
    throw new RuntimeFailure(reason(manifest ? 'nothing_found_in_package' : 'nothing_found', looked));
  }
  const mark = manifest && markIn(source, folder);
  if (mark !== undefined) {
    throw new RuntimeFailure(reason('unbuilt_page', { page: pageIn(folder), mark, folder: folder || '.' }));
  }
}

/** Sign that a folder's page is an unfilled template; undefined if the page is ready to be served. */
function markIn({ texts }: Source, folder: string): string | undefined {
  const page = texts[pageIn(folder)];
  return page === undefined ? undefined : templateMark(page);
}

function pageIn(folder: string): string {
  return folder ? `${folder}/index.html` : 'index.html';
}

/** Decides on single-page mode; `auto` turns it on only for frameworks that are known to make such pages. */
function spaOf(asked: boolean | 'auto', framework: Framework | undefined): RunPlan['spa'] {
  if (asked === true) return 'always';
  return asked === 'auto' && framework?.spa ? 'auto' : undefined;
}

function commandsOf(build: BuildPlan, run: RunPlan): string[] {
  return [
    ...build.steps.map(({ command }) => command),
    ...Object.values(run.processes),
    ...(run.release === undefined ? [] : [run.release]),
  ];
}

function refuseAllUnusable(build: BuildPlan, run: RunPlan): void {
  for (const command of commandsOf(build, run)) refuseUnusable(command);
}

const SHOWN_OF_COMMAND = 60;

/** Refuses commands that no shell can take: Linux limits one argument to 128 KiB. */
function refuseUnusable(command: string): void {
  if (command.length <= LONGEST_COMMAND && !command.includes('\0')) return;
  const display = command.length > SHOWN_OF_COMMAND ? `${command.slice(0, SHOWN_OF_COMMAND)}…` : command;
  throw new RuntimeFailure(reason('unusable_command', { command: display, most: LONGEST_COMMAND }));
}

/** Finds the first of the given folders that has an index page. */
export function folderWithIndex(
  folders: readonly string[],
  has: (path: string) => boolean,
): string | undefined {
  return folders.find((folder) => has(pageIn(folder)));
}
