import type { Command } from 'commander';
import {
  cancelDeployment,
  type Deployment,
  type DeployRequest,
  deploy,
  idempotencyKey,
  listDeployments,
  paginate,
  promote,
  readPreview,
  restart,
  rollBack,
  startSite,
  stopSite,
} from 'simcha-client';
import { CommandError, usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { duration, timeAgo } from '../output/time.ts';
import {
  aboutApplication,
  aboutSite,
  beginWithApplication,
  type CommandOf,
  type SiteOptions,
} from './begin.ts';
import { followDeployment } from './follow-deployment.ts';
import { type ImageOptions, setImage, withImage } from './image.ts';
import { type RefOptions, requestedRef, withRef } from './ref.ts';
import { deployUpload, uploadOf } from './upload.ts';

interface FollowOptions {
  follow?: boolean;
}

interface DeployOptions extends FollowOptions, RefOptions, ImageOptions {
  dir?: string;
  archive?: string;
}

type BegunSite = Awaited<ReturnType<typeof beginWithApplication<FollowOptions & SiteOptions>>>;

/** Number of last digits of a deployment's uuid that tables show and commands accept. */
const SHORT = 8;

export function defineDeploymentCommands(commandOf: CommandOf): void {
  const deploying = withRef(followable(commandOf('deploy')))
    .option('--dir <folder>', 'The content of this folder; the application’s source must be uploads.')
    .option('--archive <file>', 'The content of this tar, tar.gz or zip.');
  withImage(deploying).action(async (_options, command: Command) => {
    const begun = await beginWithApplication<DeployOptions>(command);
    const { client, path, query } = begun;
    const { dir, archive, image, registryUser, registryPasswordStdin } = begun.options;
    const body: DeployRequest = requestedRef(begun.options, { dir, archive, image });
    if ([image, registryUser, registryPasswordStdin].some((value) => value !== undefined))
      await setImage(begun, begun.options);
    const upload = uploadOf(begun.options, begun);
    if (upload) return reportRequest(begun, await deployUpload(begun, upload));
    await reportRequest(begun, (await deploy({ client, path, query, body, headers: idempotencyKey() })).data);
  });
  aboutSite(commandOf('releases'))
    .option('-n, --limit <number>', 'How many.', '20')
    .action(async (_options, command: Command) => listReleases(command));
  followable(commandOf('rollback'))
    .argument('[release]', 'its id in simcha releases, or its commit; otherwise the one that was live before')
    .action(async (release: string | undefined, _options, command: Command) => {
      const begun = await beginWithApplication<FollowOptions>(command);
      const { client, path, query } = begun;
      const body =
        release === undefined
          ? {}
          : { deployment_uuid: (await findDeployment(begun, release, isRelease)).deployment_uuid };
      const { data } = await rollBack({ client, path, query, headers: idempotencyKey(), body });
      await reportRequest(begun, data);
    });
  withFollow(aboutApplication(commandOf('promote')))
    .argument('[preview]', 'preview whose release goes live; with --to, otherwise that of production')
    .option('--to <application>', 'Application that gets the release, rather than the same one.')
    .option('--deployment <id>', 'An earlier deployment, rather than the one that runs.')
    .action(async (preview: string | undefined, _options, command: Command) =>
      promoteRelease(preview, command),
    );
  aboutSite(commandOf('cancel'))
    .argument('[deployment]', 'its id; otherwise the one that is under way')
    .action(async (deployment: string | undefined, _options, command: Command) =>
      cancel(deployment, command),
    );
  followable(commandOf('restart')).action(async (_options, command: Command) => {
    const begun = await beginWithApplication<FollowOptions>(command);
    const { client, path, query } = begun;
    await reportRequest(begun, (await restart({ client, path, query, headers: idempotencyKey() })).data);
  });
  aboutSite(commandOf('stop')).action(async (_options, command: Command) => {
    const { client, path, query, output, application } = await beginWithApplication(command);
    const { data } = await stopSite({ client, path, query, headers: idempotencyKey() });
    output.result(data, () => `${output.name(application.name)} is stopped. Start it again: simcha start`);
  });
  followable(commandOf('start')).action(async (_options, command: Command) => {
    const begun = await beginWithApplication<FollowOptions>(command);
    const { client, path, query } = begun;
    await reportRequest(begun, (await startSite({ client, path, query, headers: idempotencyKey() })).data);
  });
}

/** Takes the release of a preview, or of the application that `--app` names, live in production or in another one. */
async function promoteRelease(preview: string | undefined, command: Command): Promise<void> {
  const source = await beginWithApplication<FollowOptions & { deployment?: string; to?: string }>(command);
  const { to, deployment } = source.options;
  if (preview === undefined && to === undefined)
    throw usageError(
      'Name a preview, or with --to another application.',
      'List them: simcha previews, simcha apps',
    );
  const target = to === undefined ? source : await beginWithApplication<FollowOptions>(command, to);
  const found =
    deployment !== undefined &&
    (await findDeployment(
      { ...source, query: { ...(preview !== undefined && { preview }) } },
      deployment,
      isRelease,
    ));
  const body = {
    ...(to !== undefined && { application: source.application.application_uuid }),
    ...(preview !== undefined && { preview }),
    ...(found && { deployment_uuid: found.deployment_uuid }),
  };
  const { client, path } = target;
  const { data } = await promote({ client, path, headers: idempotencyKey(), body });
  await reportRequest(target, data);
}

function followable(command: Command): Command {
  return withFollow(aboutSite(command));
}

function withFollow(command: Command): Command {
  return command.option('-f, --follow', 'Print the log, wait for the end, and fail if it fails.');
}

const ACTION_NOUNS: Readonly<Record<Deployment['action'], string>> = {
  deploy: 'deployment',
  rollback: 'rollback',
  promote: 'promotion',
  restart: 'restart',
  start: 'start',
};

/** Reports a deployment that was requested, and follows it if asked for. */
export async function reportRequest(begun: BegunSite, deployment: Deployment): Promise<void> {
  const { options, output, server, application, client, path } = begun;
  const { deployment_uuid, action } = deployment;
  if (options.follow) {
    const name = options.preview;
    const address =
      name === undefined
        ? application.domain
        : (await readPreview({ client, path: { ...path, name } })).data.domain;
    await followDeployment(server, output, application, deployment, address);
    return;
  }
  const target = action === 'rollback' ? ` to ${releaseOf(deployment, output)}` : '';
  output.result(
    deployment,
    () =>
      `Requested the ${ACTION_NOUNS[action]} of ${output.name(application.name)}${target}: ${deployment_uuid}`,
  );
  output.hint(`Follow it: simcha logs --deployment ${deployment_uuid} --follow`);
}

/** Release that a deployment takes live, as a person knows it: its commit with the message, or its folder. */
function releaseOf(deployment: Deployment, output: Output): string {
  const { commit_message: message } = deployment;
  return message === null ? versionOf(deployment) : `${versionOf(deployment)} (${output.name(message)})`;
}

async function listReleases(command: Command): Promise<void> {
  const begun = await beginWithApplication<{ limit: string }>(command);
  const { client, path, query, output } = begun;
  const limit = Number(begun.options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    throw usageError(`--limit is "${begun.options.limit}"; expected a number.`);
  const { data } = await listDeployments({ client, path, query: { ...query, limit } });
  output.result(data, ({ deployments }) => tableOfDeployments(deployments, output));
}

function tableOfDeployments(deployments: readonly Deployment[], output: Output): string {
  const { bold } = output.stdout.colours;
  return output.table(
    [
      {
        heading: 'id',
        text: ({ deployment_uuid }) =>
          output.stdout.isTerminal ? deployment_uuid.slice(-SHORT) : deployment_uuid,
      },
      {
        heading: 'status',
        text: ({ status, is_current }) => (is_current ? `${status} now` : status),
        style: (text, { status, is_current }) => (is_current ? bold : String)(output.status(text, status)),
      },
      { heading: 'action', text: ({ action }) => action },
      {
        heading: 'asked for',
        text: ({ requested_ref: ref }) => (ref ? `${ref.type} ${ref.name.slice(0, 20)}` : ''),
      },
      { heading: 'version', text: versionOf },
      {
        heading: 'message',
        text: ({ commit_message, image, reason }) =>
          reason ? reason.replace(/\n.*/s, '') : (commit_message ?? image?.name ?? ''),
        canShrink: true,
      },
      { heading: 'requested', text: ({ requested_at }) => output.time(requested_at, timeAgo) },
      {
        heading: 'took',
        text: ({ requested_at, ended_at }) =>
          ended_at === null ? '' : duration(Date.parse(ended_at) - Date.parse(requested_at)),
        isRight: true,
      },
    ],
    deployments,
  );
}

function versionOf({ commit_hash, upload, image }: Deployment): string {
  if (upload) return `folder ${upload.sha256.slice(0, 10)}`;
  if (image) return `image ${(image.digest ?? '').replace('sha256:', '').slice(0, 10)}`.trimEnd();
  return commit_hash?.slice(0, 10) ?? '';
}

const isRelease = ({ status }: Deployment) => status === 'live';
const isUnderWay = ({ ended_at }: Deployment) => ended_at === null;

/**
 * Finds the newest suitable deployment by its uuid, by the last digits of its uuid, or by the first ones of its commit.
 */
export async function findDeployment(
  { client, path, query }: Pick<BegunSite, 'client' | 'path' | 'query'>,
  named: string,
  isSuitable: (deployment: Deployment) => boolean = () => true,
): Promise<Deployment> {
  const wanted = named.toLowerCase();
  if (!/^([\da-f-]{4,}|latest|current)$/.test(wanted))
    throw usageError(`"${named}" is neither an id nor a commit.`, 'Both are in simcha releases.');
  const read = (page: { page: number; limit: number }) =>
    listDeployments({ client, path, query: { ...query, ...page } });
  for await (const one of paginate(read)) {
    if (isNamed(one, wanted) && isSuitable(one)) return one;
  }
  throw new CommandError(`There is no such deployment: ${named}.`, {
    hint: 'List them: simcha releases',
    exitCode: EXIT.notFound,
  });
}

function isNamed({ deployment_uuid, commit_hash, is_current }: Deployment, named: string): boolean {
  if (named === 'latest') return true;
  if (named === 'current') return is_current;
  return deployment_uuid.endsWith(named) || commit_hash?.startsWith(named) === true;
}

async function cancel(named: string | undefined, command: Command): Promise<void> {
  const begun = await beginWithApplication(command);
  const { client, path, query, output, application } = begun;
  const { deployment_uuid: deployment } =
    named === undefined ? await underWay(begun) : await findDeployment(begun, named);
  const { data } = await cancelDeployment({
    client,
    path: { ...path, deployment },
    headers: idempotencyKey(),
  });
  output.result(data, () => `Cancelling the ${data.action} of ${output.name(application.name)}.`);

  async function underWay(site: Pick<BegunSite, 'client' | 'path'>): Promise<Deployment> {
    const { data } = await listDeployments({
      client: site.client,
      path: site.path,
      query: { ...query, limit: 20 },
    });
    const found = data.deployments.find(isUnderWay);
    if (found) return found;
    throw new CommandError('No deployment is under way.', { exitCode: EXIT.notFound });
  }
}
