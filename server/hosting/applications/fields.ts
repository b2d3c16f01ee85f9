import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { NamedImageSupport } from '../../kernel/config.ts';
import * as fieldTypes from '../../kernel/field-types.ts';
import { invalidField, readText } from '../../kernel/fields.ts';
import { isSingleLine } from '../../kernel/one-line.ts';
import { isPlainlyPrivate } from '../../kernel/public-hosts.ts';
import type { GitProtocol } from '../../kernel/settings.ts';
import { folderName } from '../detection/folder-name.ts';
import { LONGEST_VERSION, nodeRange } from '../detection/node-version.ts';
import { type ImageName, LONGEST_IMAGE_NAME, parseImageName, registryHost } from '../model/image-name.ts';
import { TYPES } from '../model/plan.ts';
import { isWatchPath, LONGEST_PATTERN, MOST_PATTERNS } from '../watch-paths/watch-paths.ts';
import { liesWithin } from './local-repository.ts';
import { messages } from './messages.ts';
import { isBranch, judgeRepository, LONGEST_ADDRESS, type Repository } from './repository.ts';
import { SOURCES } from './source.ts';
import { judgeSubdomain } from './subdomain.ts';

export interface SettingsPolicy {
  protocols: readonly GitProtocol[];
  allowPrivateHosts: boolean;
  /** Whether sites may run images by name; undefined if that need not be checked. */
  namedImages?: NamedImageSupport;
  /** Prefix of the names of the images that the server itself pushes to a registry; undefined: it pushes none. */
  ownImages?: string | undefined;
  /** Longest time for a site's answer that the operator allows, in seconds; undefined: the longest at all. */
  mostResponseSeconds?: number;
  /** Largest request body that the operator allows, in MiB; undefined: the largest at all. */
  mostBodyMb?: number;
  /** Data folder of the platform, in which no repository may lie; undefined if that need not be checked. */
  dataDir?: string;
}

const LENGTHS = {
  name: 100,
  branch: 200,
  root: 500,
  command: 2_000,
  health_path: 500,
  time_zone: 100,
  registry_user: 200,
  registry_password: 8_000,
} as const;
/**
 * Branches besides production's that get a site of their own: none, those with a pull request, or all pushed branches.
 */
export const PREVIEWS = ['off', 'pull_requests', 'branches'] as const;
const DEFAULT_HEALTH_PATH = '/';

const name = fieldTypes.restricted(fieldTypes.text(LENGTHS.name), isSingleLine, messages.name);
export const branchName = fieldTypes.restricted(fieldTypes.text(LENGTHS.branch), isBranch, messages.branch);
const command = fieldTypes.restricted(fieldTypes.text(LENGTHS.command), isSingleLine, messages.command);

const subdomain: fieldTypes.FieldType<string> = {
  read(field, value) {
    const verdict = judgeSubdomain(readText(field, value, 100));
    if ('subdomain' in verdict) return verdict.subdomain;
    const { subdomain: form, subdomainReserved: reserved } = messages;
    throw invalidField(field, { form, reserved }[verdict.wrong]);
  },
  schema: {
    type: 'string',
    maxLength: 63,
    pattern: '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$',
    description: 'A DNS label; unique on this server.',
  },
};

const repositoryUnder = ({
  protocols,
  allowPrivateHosts,
  dataDir,
}: SettingsPolicy): fieldTypes.FieldType<Repository> => ({
  read(field, value) {
    const repository = judgeRepository(readText(field, value, LONGEST_ADDRESS), protocols);
    if ('wrong' in repository) {
      const { form, protocol, password, scheme, page } = messages.repository;
      if (repository.wrong === 'page') throw invalidField(field, page(repository));
      if (repository.wrong === 'scheme') throw invalidField(field, scheme(repository.address));
      throw invalidField(field, { form, protocol: protocol(protocols), password }[repository.wrong]);
    }
    if (!allowPrivateHosts && repository.host !== '' && isPlainlyPrivate(repository.host)) {
      throw invalidField(field, messages.repository.private);
    }
    if (dataDir !== undefined && liesWithin(repository.address, dataDir)) {
      throw invalidField(field, messages.repository.ours);
    }
    return repository;
  },
  schema: {
    type: 'string',
    maxLength: LONGEST_ADDRESS,
    description: 'The address of a git repository, with https or ssh; required unless `source` is another.',
  },
});

const imageUnder = ({
  allowPrivateHosts,
  namedImages = 'on',
  ownImages,
}: SettingsPolicy): fieldTypes.FieldType<ImageName> => ({
  read(field, value) {
    const image = parseImageName(readText(field, value, LONGEST_IMAGE_NAME));
    if (!image) throw invalidField(field, messages.image.form);
    if (namedImages !== 'on') throw invalidField(field, messages.image[namedImages]);
    if (!allowPrivateHosts && isPlainlyPrivate(registryHost(image)))
      throw invalidField(field, messages.image.private);
    if (ownImages !== undefined && image.name.startsWith(`${ownImages}/`))
      throw invalidField(field, messages.image.ours);
    return image;
  },
  schema: {
    type: 'string',
    maxLength: LONGEST_IMAGE_NAME,
    description:
      'The name of a container image, such as `ghcr.io/owner/name:tag`; not on servers without containers.',
  },
});

const registryUser = fieldTypes.restricted(
  fieldTypes.text(LENGTHS.registry_user),
  (user) => isSingleLine(user) && !user.includes(':'),
  messages.registryUser,
);
const registryPassword = fieldTypes.restricted(
  fieldTypes.text(LENGTHS.registry_password),
  isSingleLine,
  messages.registryPassword,
);

/** Folder inside the checkout, without `./` and surrounding slashes; null for the checkout itself. */
const root: fieldTypes.FieldType<string | null> = {
  read(field, value) {
    const folder = readText(field, value, LENGTHS.root);
    const inside = folderName(folder);
    if (inside === undefined) throw invalidField(field, messages.root);
    return inside || null;
  },
  schema: {
    type: 'string',
    maxLength: LENGTHS.root,
    description: 'A folder inside the repository; null for the repository itself.',
  },
};

/** Published folder of a static site, relative to `root`; `.` for the root itself. */
const publish: fieldTypes.FieldType<string> = {
  read(field, value) {
    const inside = folderName(readText(field, value, LENGTHS.root));
    if (inside === undefined) throw invalidField(field, messages.publish);
    return inside;
  },
  schema: {
    type: 'string',
    maxLength: LENGTHS.root,
    description: 'The folder of a static site, such as `_site`, relative to `root`; null: detected.',
  },
};

const spa: fieldTypes.FieldType<boolean | 'auto'> = {
  read(field, value) {
    if (typeof value === 'boolean' || value === 'auto') return value;
    throw invalidField(field, messages.spa);
  },
  schema: {
    type: ['boolean', 'string'],
    enum: [true, false, 'auto'],
    description:
      'Single-page app: paths without a file are answered with the site’s page. `auto`: if the framework makes such apps and there is no `404.html`.',
  },
};

// A health check path may not begin with `//` or `/\`: browsers, and programs that parse addresses like them, read both
// as the beginning of another host.
const healthPath = fieldTypes.withDescription(
  fieldTypes.matching(
    fieldTypes.text(LENGTHS.health_path),
    '^/([!"$-.0-\\[\\]-~][!"$-\\[\\]-~]*)?$',
    messages.healthPath,
  ),
  'Must answer with a status under 500 before a version takes traffic.',
);

const node = fieldTypes.withDescription(
  fieldTypes.restricted(
    fieldTypes.text(LONGEST_VERSION),
    (text) => nodeRange(text) !== undefined,
    messages.node,
  ),
  'The version of Node.js: a version, a range of npm’s, or a name such as `lts/jod`; null: the version that the repository requests.',
);

const sticky = fieldTypes.withDescription(
  fieldTypes.yesOrNo(),
  'Sticky sessions: with several replicas, a cookie keeps each visitor on the same one.',
);

const timeZone = fieldTypes.withDescription(
  fieldTypes.restricted(fieldTypes.text(LENGTHS.time_zone), isTimeZone, messages.timeZone),
  'The time zone of scheduled jobs: an IANA name such as `Europe/London`.',
);

/** Limits of what operators may allow: a response time in seconds, and a request body in MiB. */
const MOST_RESPONSE_SECONDS = 3_600;
const MOST_BODY_MB = 2 ** 20;

const watchPath = fieldTypes.restricted(fieldTypes.text(LONGEST_PATTERN), isWatchPath, messages.watchPath);

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Fields of a request that creates an application. */
export function applicationFields(policy: SettingsPolicy) {
  return {
    name: { type: fieldTypes.nonEmpty(name) },
    source: {
      type: fieldTypes.withDescription(
        fieldTypes.oneOf(SOURCES),
        'Where it comes from: its repository, folders that are uploaded (`PUT …/source`), or an image.',
      ),
      empty: undefined,
    },
    repository: { type: fieldTypes.orNull(repositoryUnder(policy)), empty: null },
    image: { type: fieldTypes.orNull(imageUnder(policy)), empty: null },
    registry_user: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(registryUser),
        'The user name at the image’s registry; null for a public image.',
      ),
      empty: null,
    },
    registry_password: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(registryPassword),
        'The password or token at the image’s registry. Stored encrypted, never shown; forgotten with the registry’s name.',
      ),
      empty: null,
    },
    /** Subdomain of the site; null: the subdomain is made from the application's name. */
    subdomain: { type: fieldTypes.orNull(subdomain), empty: null },
    branch: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(branchName),
        'null: the repository’s own default branch.',
      ),
      empty: null,
    },
    root: { type: fieldTypes.orNull(root), empty: null },
    type: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(fieldTypes.oneOf(TYPES)),
        'A static site or a server; `auto` or null: detected.',
      ),
      empty: null,
    },
    node: { type: fieldTypes.orNull(node), empty: null },
    install: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(command),
        'Replaces the command that installs dependencies.',
      ),
      empty: null,
    },
    build: {
      type: fieldTypes.withDescription(fieldTypes.orNull(command), 'Replaces the detected build command.'),
      empty: null,
    },
    start: {
      type: fieldTypes.withDescription(fieldTypes.orNull(command), 'Replaces the detected start command.'),
      empty: null,
    },
    publish: { type: fieldTypes.orNull(publish), empty: null },
    spa: { type: fieldTypes.orNull(spa), empty: null },
    port: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(fieldTypes.wholeNumber(1, 65_535)),
        'The port on which the site listens regardless of the variable PORT; null: the port in PORT, or the detected one.',
      ),
      empty: null,
    },
    health_path: { type: fieldTypes.orDefault(healthPath, DEFAULT_HEALTH_PATH), empty: DEFAULT_HEALTH_PATH },
    sticky: { type: fieldTypes.orDefault(sticky, false), empty: false },
    time_zone: { type: fieldTypes.orDefault(timeZone, DEFAULT_ZONE), empty: DEFAULT_ZONE },
    watch_paths: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(fieldTypes.several(watchPath, MOST_PATTERNS)),
        'Paths in the repository, as globs; `!` excludes. A push that changes none of them deploys nothing. null: `root`, if it is set.',
      ),
      empty: null,
    },
    response_seconds: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(fieldTypes.wholeNumber(1, policy.mostResponseSeconds ?? MOST_RESPONSE_SECONDS)),
        'Seconds within which the site must begin its answer, or visitors get a 504; null: 60. The operator sets a maximum.',
      ),
      empty: null,
    },
    max_body_mb: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(fieldTypes.wholeNumber(1, policy.mostBodyMb ?? MOST_BODY_MB)),
        'Largest body of a request in MiB; larger ones get a 413. null: the operator’s maximum.',
      ),
      empty: null,
    },
    previews: {
      type: fieldTypes.withDescription(
        fieldTypes.orDefault(fieldTypes.oneOf(PREVIEWS), 'off'),
        'Which other branches get a site of their own by the push hook: those with a pull request, or all pushed ones.',
      ),
      empty: 'off',
    },
  } as const satisfies fieldTypes.FieldTable;
}

/** Fields of a request that changes an application. Its subdomain can't be cleared. */
export function changedFields(policy: SettingsPolicy) {
  return {
    ...applicationFields(policy),
    subdomain: { type: fieldTypes.nonEmpty(subdomain) },
  } as const satisfies fieldTypes.FieldTable;
}

/**
 * Path of an application's health check: the path in its settings, unless that is the default, else the path in the
 * plan.
 */
export function healthPathOf(
  { health_path: own }: { health_path: string },
  { health }: { health?: string },
): string {
  return own === DEFAULT_HEALTH_PATH ? (health ?? own) : own;
}

/**
 * Placeholder for the operator's rules, used to make the API's published schemas, which are the same
 * under any rules.
 */
export const ANY_POLICY: SettingsPolicy = { protocols: [], allowPrivateHosts: false };

/** Values of an application's fields, without `source`: source.ts has applied that field to the others. */
export type NewApplication = Omit<fieldTypes.ValuesOf<ReturnType<typeof applicationFields>>, 'source'>;
export type ApplicationChanges = Partial<
  Omit<fieldTypes.ValuesOf<ReturnType<typeof changedFields>>, 'source'>
>;
