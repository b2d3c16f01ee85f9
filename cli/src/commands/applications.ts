import { basename } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import {
  type Application,
  type ApplicationChanges,
  createApplication,
  deleteApplication,
  idempotencyKey,
  type NewApplication,
  type PlanForecast,
  readPlan,
  SimchaError,
  updateApplication,
} from 'simcha-client';
import { allApplications } from '../applications.ts';
import { CommandError, usageError } from '../errors.ts';
import type { Output } from '../output/output.ts';
import { timeAgo } from '../output/time.ts';
import { findProject, PROJECT_FILE, writeProject } from '../project.ts';
import { confirm } from '../prompts.ts';
import { aboutSite, begin, beginWithApplication, type CommandOf } from './begin.ts';
import { type ImageOptions, imageSettings, withImage } from './image.ts';
import { type RefOptions, requestedRef, withRef } from './ref.ts';

/** Settings of an application that have a command-line option of their own, with the option's value and help text. */
const SETTINGS = {
  source: ['<kind>', 'repository, image, or upload: folders that simcha deploy --dir sends.'],
  branch: ['<name>', 'Branch that is deployed; otherwise the repository’s default branch.'],
  root: ['<folder>', 'Folder inside the repository.'],
  type: ['<type>', 'static or server; otherwise detected.'],
  node: ['<version>', 'Version of Node.js.'],
  install: ['<command>', 'Command that installs dependencies.'],
  build: ['<command>', 'Build command.'],
  start: ['<command>', 'Start command.'],
  publish: ['<folder>', 'Folder of a static site.'],
  port: ['<number>', 'Port on which the site listens, if it ignores PORT.'],
  'health-path': ['<path>', 'Path that must answer before a version takes traffic.'],
  'time-zone': ['<zone>', 'Time zone of scheduled jobs.'],
  previews: ['<which>', 'off, pull_requests or branches.'],
  'response-seconds': ['<number>', 'Seconds within which the site must begin its answer; otherwise 60.'],
  'max-body-mb': ['<number>', 'Largest body of a request, in MiB.'],
} as const;

/** Settings whose values are numbers. */
const NUMBERS: readonly string[] = ['port', 'response_seconds', 'max_body_mb'];

type Settings = Partial<Record<'repository' | 'source', string>> & Partial<Record<string, string | string[]>>;

export function defineApplicationCommands(commandOf: CommandOf): void {
  const apps = commandOf('apps');
  apps
    .command('list', { isDefault: true })
    .description('List your applications.')
    .action(async (_options, command: Command) => list(command));
  withSettings(
    apps
      .command('create')
      .description(`Create an application and write ${PROJECT_FILE} into this folder.`)
      .argument('[name]', 'name; otherwise that of this folder')
      .option(
        '--repository <address>',
        'git repository; otherwise the remote "origin" of this folder, and without one, uploads',
      )
      .option('--subdomain <label>', 'Part of the site’s address; otherwise made from the name.')
      .option('--no-link', `Don’t write ${PROJECT_FILE}.`),
  ).action(async (name: string | undefined, _options, command: Command) => create(name, command));
  apps
    .command('show')
    .description('Show an application.')
    .argument('[application]', 'its name or uuid; otherwise that of .simcha.json')
    .action(async (name: string | undefined, _options, command: Command) => show(name, command));
  withSettings(
    apps
      .command('update')
      .description('Change settings of an application; an empty text puts one back to its default.')
      .argument('[application]', 'its name or uuid; otherwise that of .simcha.json')
      .option('--name <text>', 'Name.')
      .option('--repository <address>', 'git repository')
      .option('--subdomain <label>', 'Part of the site’s address.'),
  ).action(async (name: string | undefined, _options, command: Command) => update(name, command));
  apps
    .command('delete')
    .description('Delete an application, its site and its files.')
    .argument('[application]', 'its name or uuid; otherwise that of .simcha.json')
    .option('--yes', 'Don’t ask.')
    .action(async (name: string | undefined, _options, command: Command) => remove(name, command));
  commandOf('link')
    .argument('<application>', 'its name or uuid')
    .action(async (name: string, _options, command: Command) => link(name, command));
  withRef(aboutSite(commandOf('plan'))).action(async (_options, command: Command) => plan(command));
  commandOf('open')
    .argument('[application]', 'its name or uuid; otherwise that of .simcha.json')
    .action(async (name: string | undefined, _options, command: Command) => open(name, command));
}

function withSettings(plain: Command): Command {
  const command = withImage(plain);
  for (const [name, [value, description]] of Object.entries(SETTINGS))
    command.option(`--${name} ${value}`, description);
  return command.option(
    '--watch-paths <globs...>',
    'Paths whose changes a push deploys, such as "apps/web/**" "!**/*.md"; otherwise the root folder.',
  );
}

/** Settings that the command line's options give, with the names and types of the API; an empty option becomes null. */
function settingsOf(options: Settings) {
  const names = [...Object.keys(SETTINGS), 'watch-paths', 'name', 'repository', 'subdomain'];
  const given = names
    .map((name) => [name.replaceAll('-', '_'), options[optionOf(name)]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, storedValue(name, value)]),
  ) as ApplicationChanges;
}

/** Name of an option in commander's result: `health-path` becomes `healthPath`. */
function optionOf(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function storedValue(name: string, value: string | string[] | undefined) {
  if (value === undefined || value === '' || value[0] === '') return null;
  return NUMBERS.includes(name) ? Number(value) : value;
}

async function list(command: Command): Promise<void> {
  const { output, server } = await begin(command);
  const applications = await allApplications(server);
  output.result({ applications, total: applications.length }, () =>
    output.table(
      [
        { heading: 'name', text: ({ name }) => name, canShrink: true },
        {
          heading: 'status',
          text: ({ status }) => status,
          style: (text, row) => output.status(text, row.status),
        },
        { heading: 'address', text: ({ domain }) => domain, canShrink: true },
        { heading: 'role', text: ({ role }) => role },
        { heading: 'deployed', text: ({ deployed_at }) => output.time(deployed_at, timeAgo) },
      ],
      applications,
    ),
  );
  if (applications.length === 0) output.hint('You have no application yet: simcha apps create');
}

async function create(named: string | undefined, command: Command): Promise<void> {
  const { options, output, server } = await begin<Settings & ImageOptions & { link: boolean }>(command);
  const source = await sourceOf(options);
  const body: NewApplication = {
    ...settingsOf(options),
    ...(await imageSettings(options)),
    name: named ?? basename(process.cwd()),
    ...source,
  };
  const { data: application } = await createApplication({
    client: server.client,
    headers: idempotencyKey(),
    body,
  }).catch((error) => {
    const isOrigin = options.repository === undefined && source.repository !== undefined;
    if (!isOrigin || !(error instanceof SimchaError) || error.field !== 'repository') throw error;
    throw new CommandError(`The remote "origin" of this folder is ${source.repository}. ${error.message}`, {
      hint: 'Name a repository that the server can fetch: --repository <address>. Or upload this folder: --source upload',
    });
  });
  output.result(application, () => `Created ${output.name(application.name)}: ${application.domain}`);
  const linked = await findProject();
  if (options.link && linked)
    output.note(`Commands in this folder stay about ${output.name(linked.name)}; change it by simcha link.`);
  else if (options.link) {
    await writeProject(projectOf(server.url, application));
    output.note(`Wrote ${PROJECT_FILE}: commands in this folder are about ${output.name(application.name)}.`);
  }
  output.hint(`Deploy ${application.source === 'upload' ? 'this folder' : 'it'}: simcha deploy --follow`);
}

/**
 * Source of a new application: the image or the repository that the options name, else the current folder's git remote;
 * without any, uploads.
 */
async function sourceOf({
  repository,
  source,
  image,
}: Settings & ImageOptions): Promise<Pick<NewApplication, 'repository' | 'source'>> {
  if (source === 'upload') return { source };
  if (image !== undefined && repository === undefined) return { source: 'image' };
  const address = repository ?? (await originOfFolder());
  return address === undefined ? { source: 'upload' } : { repository: address };
}

/** Address of the remote `origin` of the current folder's git repository; undefined if there is none. */
async function originOfFolder(): Promise<string | undefined> {
  const { execFile } = await import('node:child_process');
  const asked = await promisify(execFile)('git', ['remote', 'get-url', 'origin']).catch(() => undefined);
  return asked?.stdout.trim() || undefined;
}

const projectOf = (server: string, { application_uuid: application, name }: Application) => ({
  server,
  application,
  name,
});

async function show(named: string | undefined, command: Command): Promise<void> {
  const { output, application } = await beginWithApplication(command, named);
  output.result(application, (one) => describe(one, output));
}

function describe(application: Application, output: Output): string {
  const { branch, root, type, node, install, build, start, publish, port } = application;
  const { response_seconds: seconds, max_body_mb: mebibytes } = application;
  const optional = { root, type, node, install, build, start, publish, port };
  return output.pairs([
    ['name', application.name],
    ['status', output.status(application.status)],
    ['address', application.domain],
    [
      'role',
      application.role === 'owner' ? 'owner' : `${application.role}, in a site of ${application.owner}`,
    ],
    ['image', application.image ?? undefined],
    ['registry user', application.registry_user ?? undefined],
    [
      'repository',
      application.repository ?? (application.image === null ? 'none: folders are uploaded' : undefined),
    ],
    ['branch', application.repository === null ? undefined : (branch ?? 'the repository’s default')],
    ...Object.entries(optional).map(
      ([name, value]) => [name, value === null ? undefined : String(value)] as const,
    ),
    ['health path', application.health_path],
    ['watch paths', application.watch_paths?.join(' ')],
    ['previews', application.previews],
    ['time zone', application.time_zone],
    ['response timeout', seconds === null ? undefined : `${seconds} s`],
    ['largest body', mebibytes === null ? undefined : `${mebibytes} MiB`],
    ['deployed', application.deployed_at === null ? 'never' : output.time(application.deployed_at, timeAgo)],
    ['uuid', application.application_uuid],
  ]);
}

async function update(named: string | undefined, command: Command): Promise<void> {
  const { options, output, client, path } = await beginWithApplication<Settings & ImageOptions>(
    command,
    named,
  );
  const body = { ...settingsOf(options), ...(await imageSettings(options)) };
  if (Object.keys(body).length === 0) throw usageError('No setting is named.', 'For example: --branch main');
  const { data } = await updateApplication({ client, path, body });
  output.result(data, (one) => describe(one, output));
  output.hint('The change takes effect with the next deployment: simcha deploy --follow');
}

async function remove(named: string | undefined, command: Command): Promise<void> {
  const { options, output, client, path, application } = await beginWithApplication<{ yes?: boolean }>(
    command,
    named,
  );
  const { name, domain } = application;
  if (!options.yes)
    await confirm(`Delete ${output.name(name)} (${domain}), its site and its files for ever?`);
  await deleteApplication({ client, path });
  output.note(`Deleted ${output.name(name)}.`);
}

async function link(named: string, command: Command): Promise<void> {
  const { output, server, application } = await beginWithApplication(command, named);
  const project = projectOf(server.url, application);
  const written = await writeProject(project);
  output.result(
    project,
    () => `Wrote ${written}: commands in this folder are about ${output.name(application.name)}.`,
  );
}

async function open(named: string | undefined, command: Command): Promise<void> {
  const { output, application } = await beginWithApplication(command, named);
  output.result({ domain: application.domain }, ({ domain }) => domain);
  if (!output.stdout.isTerminal || output.isJson) return;
  const { default: openInBrowser } = await import('open');
  // If no browser can be opened, the user still has the printed address.
  await openInBrowser(application.domain).catch(() => undefined);
}

async function plan(command: Command): Promise<void> {
  const { options, output, client, path, query, application } =
    await beginWithApplication<RefOptions>(command);
  const { data } = await readPlan({ client, path, query: { ...query, ...requestedRef(options) } });
  output.result(data, (forecast) => describePlan(forecast, output));
  if (!data.plan && application.source === 'upload') output.hint('Upload a folder: simcha deploy --dir .');
}

/** Folder that a static site publishes; of several candidates, builds take the first one that has an index page. */
function publishOf(candidates: readonly string[]): string | undefined {
  const folders = candidates.map((folder) => folder || '.').join(', ');
  return candidates.length > 1 ? `the first with an index page of ${folders}` : folders || undefined;
}

function describePlan({ plan, findings, reason, ...commit }: PlanForecast, output: Output): string {
  const { dim, red } = output.stdout.colours;
  const said = findings.map((finding) => dim(`- ${finding.said}`));
  if (!plan) return [red(reason ?? 'Nothing would be deployed.'), ...said].join('\n');
  const steps = plan.steps.map(
    ({ name, command, folder }) => [name, folder ? `${command} (in ${folder})` : command] as const,
  );
  const processes = Object.entries(plan.processes).map(([name, line]) => [`process ${name}`, line] as const);
  const jobs = plan.cron.map(
    ({ name, schedule, command }) => [`job ${name}`, `${schedule}  ${command}`] as const,
  );
  const { commit_hash, commit_message } = commit;
  const lines = output.pairs([
    ['commit', commit_hash ? `${commit_hash.slice(0, 12)} ${commit_message ?? ''}` : undefined],
    ['type', plan.type],
    ['node', plan.node ?? undefined],
    ['dockerfile', plan.dockerfile?.file],
    ...steps,
    ['publish', publishOf(plan.publish)],
    ['release', plan.release ?? undefined],
    ...processes,
    ...jobs,
    ['port', plan.port === null ? undefined : String(plan.port)],
    ['health path', plan.type === 'server' ? plan.health_path : undefined],
  ]);
  return [lines, ...(output.stdout.isTerminal ? said : [])].join('\n');
}
