import { resolve } from 'node:path';
import { isMailAddress } from './mail/address.ts';
import { LONGEST_BOUNCE_NAME } from './mail/bounces/token-form.ts';
import {
  choice,
  choices,
  flag,
  holdsCertificates,
  integer,
  isAddressAndPort,
  isAddressRange,
  isMailbox,
  isOrigin,
  list,
  readHostName,
  readInteger,
  readList,
  readOrigin,
  readRsaKey,
  readShare,
  readUrl,
  type Setting,
  type SettingOptions,
  secret,
  setting,
  text,
} from './setting-types.ts';

// Every setting of the server, in the order of docs/configuration.md, which `npm run configuration` makes from this
// file.

/** Names of the ways to run sites: as processes, in Docker containers, or on a Docker Swarm. */
export const APPS_RUNTIMES = ['process', 'docker', 'swarm'] as const;
export type AppsRuntime = (typeof APPS_RUNTIMES)[number];

/**
 * Names of who may register: everybody, only invited people, or also people with an address at one of these domains.
 */
type Registration = 'open' | 'closed' | string[];

export const GIT_PROTOCOLS = ['https', 'ssh', 'http', 'git', 'file'] as const;
export type GitProtocol = (typeof GIT_PROTOCOLS)[number];

/** Minimum length of a secret, in characters, so that nobody can guess the secret. */
export const SECRET_LENGTH = 32;
/** Prefix length (as in CIDR notation) of the network that each site gets. */
const SUBNET_BITS = 26;
/** Minimum memory, in MiB, of a site or a build. All sites and builds together can't have less either. */
export const LEAST_MEMORY_MB = 64;
const MOST_MB = 2 ** 20;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** Samplers of traces, by OpenTelemetry's names. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const HTTP = ['http:', 'https:'];

const server = {
  host: text('HOST', 'a host name or an address', {
    description: 'Address on which the server listens.',
    default: '127.0.0.1',
  }),
  port: setting('PORT', 'a port number from 0 to 65535', (value) => readInteger(value, 0, 65_535), {
    description: 'Port on which the server listens.',
    default: 3000,
  }),
  publicUrl: setting(
    'PUBLIC_URL',
    'an http or https address without a path',
    (value) => readOrigin(value, HTTP),
    {
      description: 'Address under which people reach the server, without a path.',
      shownDefault: '`http://localhost:$PORT`',
    },
  ),
  platformHosts: setting(
    'PLATFORM_HOSTS',
    'host names without a port, separated by commas',
    (value) => readList(value.toLowerCase(), (item) => readHostName(item) !== undefined),
    { description: 'Further host names of the platform, beside the host of `PUBLIC_URL`.', default: [] },
  ),
  trustedProxies: list('TRUSTED_PROXIES', 'addresses or CIDR ranges separated by commas', isAddressRange, {
    description: 'Addresses or ranges of proxies whose `X-Forwarded-For` is trusted.',
    default: [],
  }),
  internalUrl: setting(
    'INTERNAL_URL',
    'an http address without a path',
    (value) => readOrigin(value, ['http:']),
    {
      description:
        'Address under which other servers on the same database reach this one, such as `http://10.0.0.5:3000`. While this server runs the sites, the others pass requests on to it. Each of them must be among its `TRUSTED_PROXIES`.',
      shownDefault: 'none: the others answer 503',
    },
  ),
  rateLimit: integer('RATE_LIMIT', 1, 1e9, {
    description: 'Requests a minute for one credential, or for one client address without a valid one.',
    default: 6000,
  }),
  strictRateLimit: integer('STRICT_RATE_LIMIT', 1, 1e9, {
    description:
      'Requests a quarter of an hour for one client address where guessing pays: codes, registration, sign-in.',
    default: 60,
  }),
  corsOrigins: list('CORS_ORIGINS', 'origins separated by commas, or *', isOrigin, {
    description: 'Origins whose pages may call the API; `*` for all.',
    default: [],
  }),
  webhooksAllowPrivateHosts: flag('WEBHOOKS_ALLOW_PRIVATE_HOSTS', {
    description: '`true`: webhooks may be on hosts with private addresses, and use http.',
    default: false,
  }),
  metricsToken: secret('METRICS_TOKEN', 16, {
    description: 'Bearer token that `/metrics` requires.',
    shownDefault: 'none: `/metrics` answers only this machine',
  }),
  metricsOpen: flag('METRICS_OPEN', { description: '`true`: `/metrics` answers everybody.', default: false }),
  logLevel: setting('LOG_LEVEL', LOG_LEVELS.join(', '), (value) => LOG_LEVELS.find((one) => one === value), {
    description: 'Least level of lines in the log.',
    default: 'info',
  }),
  logFormat: choice('LOG_FORMAT', ['pretty', 'json'], {
    description: 'Form of lines in the log.',
    shownDefault: '`pretty` in a terminal, otherwise `json`',
  }),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'an http or https address',
    (value) => readUrl(value, HTTP),
    {
      description:
        'Address of an OpenTelemetry collector that gets traces by OTLP over HTTP, such as `http://localhost:4318` ([traces](operations.md#traces)).',
      shownDefault: 'none: no traces',
    },
  ),
  otlpHeaders: text('OTEL_EXPORTER_OTLP_HEADERS', 'name=value, several separated by commas', {
    description: 'Headers for the collector: `name=value`, several separated by commas.',
    isSecret: true,
  }),
  tracesSampler: choice('OTEL_TRACES_SAMPLER', SAMPLERS, {
    description:
      'Which traces are recorded. `parentbased_traceidratio`: the share of `OTEL_TRACES_SAMPLER_ARG`, and those that a client records.',
    default: 'parentbased_always_on',
  }),
  tracesSamplerArg: setting('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1', (value) => readShare(value), {
    description: 'Share of the traces that a sampler by ratio records.',
    default: 1,
  }),
  traceServiceName: text('OTEL_SERVICE_NAME', 'a name', {
    description: 'Name of this service in traces.',
    default: 'simcha',
  }),
  environment: text('NODE_ENV', 'production, or anything else', {
    description: '`production` serves nothing that is meant only for development, such as `/dev/mail`.',
  }),
};

const storage = {
  dataDir: setting('DATA_DIR', 'a folder', (value) => resolve(value), {
    description: 'Folder of the embedded database, generated keys, uploads and sites. Closed to other users.',
    default: resolve('data'),
    shownDefault: '`./data`',
  }),
  databaseUrl: setting(
    'DATABASE_URL',
    'postgres://user:password@host:port/database',
    (value) => readUrl(value, ['postgres:', 'postgresql:']),
    {
      description: 'PostgreSQL 15 or later, instead of the embedded database.',
      shownDefault: 'the embedded database',
      isSecret: true,
    },
  ),
  databasePoolSize: integer('DATABASE_POOL_SIZE', 1, 500, {
    description: 'Connections to PostgreSQL of this server. One caller gets at most half of them.',
    default: 10,
  }),
  encryptionKeys: setting(
    'ENCRYPTION_KEY',
    `a secret of ${SECRET_LENGTH} characters or more; several separated by commas, the newest first`,
    (value) => readList(value, (item) => item.length >= SECRET_LENGTH),
    {
      description:
        'Key that encrypts stored secrets. To rotate it, give several separated by commas: the first encrypts, all decrypt.',
      default: [],
      shownDefault: 'generated once, stored in `DATA_DIR`',
      isSecret: true,
    },
  ),
};

const identity = {
  registration: setting<Registration>(
    'REGISTRATION',
    'open, closed, or mail domains separated by commas, such as example.com,example.org',
    (value) => readRegistration(value.toLowerCase()),
    {
      description:
        'People who may register. `open`: everybody. `closed`: those invited by `npm run invite`. Mail domains separated by commas: those invited, and addresses at these domains.',
      default: 'open',
    },
  ),
  operators: setting<string[]>(
    'OPERATORS',
    'mail addresses separated by commas',
    (value) => readList(value.toLowerCase(), isMailAddress),
    {
      description:
        'Mail addresses of the operators: once verified, these users see the state of the whole platform at `/operator`, stop any site and set budgets.',
      default: [],
      shownDefault: 'none',
    },
  ),
  jwtSecret: text('JWT_SECRET', `a secret of ${SECRET_LENGTH} characters or more if NODE_ENV is production`, {
    description: `Key that signs tokens and links (HS256). In production at least ${SECRET_LENGTH} characters.`,
    shownDefault: 'generated once, stored in `DATA_DIR`',
    isSecret: true,
  }),
  jwtJwksUrl: setting('JWT_JWKS_URL', 'an http or https address', (value) => readUrl(value, HTTP), {
    description: 'Keys of an external identity provider (RS256, ES256, EdDSA).',
  }),
  jwtAudience: text('JWT_AUDIENCE', 'the audience in the tokens', {
    description:
      'Audience that the provider’s tokens must have. Required with `JWT_JWKS_URL`: otherwise tokens for other applications would be accepted.',
  }),
  jwtIssuer: text('JWT_ISSUER', 'the issuer in the tokens', {
    description: 'Issuer that the provider’s tokens must have.',
    shownDefault: 'not checked',
  }),
  accessibilityContact: setting(
    'ACCESSIBILITY_CONTACT',
    'a name, with a phone number or a mail address, of at most 200 characters',
    (value) => (value.length <= 200 ? value : undefined),
    {
      description:
        'Contact for people who can’t use a page: a name with a phone number or a mail address. Shown in the accessibility statement.',
      shownDefault: 'only the hosts of the event',
    },
  ),
};

const messages = {
  smtpUrl: setting(
    'SMTP_URL',
    'smtp://user:password@host:port, or smtps:// for TLS from the start',
    (value) => readUrl(value, ['smtp:', 'smtps:']),
    {
      description: 'Mail server: `smtp://user:password@host:587` or `smtps://`.',
      shownDefault:
        'none: mail stays in `DATA_DIR`, to read at `/dev/mail` with the key that the start prints',
      isSecret: true,
    },
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'a mail address, or a name and an address: Simcha <simcha@example.com>',
    (value) => (isMailbox(value) ? value : undefined),
    {
      description: 'Sender of mail.',
      shownDefault: '`Simcha <simcha@…>` at the host of `PUBLIC_URL`',
    },
  ),
  mailDkimDomain: setting('MAIL_DKIM_DOMAIN', 'a host name without a port', readHostName, {
    description: 'Domain for which mail is signed by DKIM: that of `MAIL_FROM` ([mail](mail.md#sign-mail)).',
    shownDefault: 'none: the mail server signs, or nobody',
  }),
  mailDkimSelector: setting(
    'MAIL_DKIM_SELECTOR',
    'letters, digits and hyphens, such as simcha',
    (value) => (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(value) ? value.toLowerCase() : undefined),
    { description: 'Selector of the DKIM key: the public key is at `<selector>._domainkey.<domain>`.' },
  ),
  mailDkimKey: setting(
    'MAIL_DKIM_KEY',
    'an RSA private key of 1024 bits or more as PEM, or the path of a file with one',
    readRsaKey,
    {
      description:
        'Private RSA key that signs mail, as PEM (line breaks may be written `\\n`) or as the path of a file.',
      isSecret: true,
    },
  ),
  mailBounceAddress: setting(
    'MAIL_BOUNCE_ADDRESS',
    `a mail address with at most ${LONGEST_BOUNCE_NAME} characters before the @ and without a +, such as bounces@example.com`,
    (value) => (isBounceAddress(value) ? value.toLowerCase() : undefined),
    {
      description:
        'Address to which mail servers send bounces, with a part after a `+` that names the mail ([mail](mail.md#bounces)).',
      shownDefault: 'none: bounces go to the address of `MAIL_FROM`, and nobody reads them',
    },
  ),
  mailBounceImapUrl: setting(
    'MAIL_BOUNCE_IMAP_URL',
    'imaps://user:password@host/folder, or imap:// for STARTTLS',
    (value) => (isLoginUrl(value, ['imap:', 'imaps:']) ? value : undefined),
    {
      description:
        'Mailbox of `MAIL_BOUNCE_ADDRESS`: `imaps://user:password@imap.example.com`. It is read every five minutes, and every message in it is marked as read.',
      shownDefault: 'none: no mailbox is read',
      isSecret: true,
    },
  ),
  mailBounceSecret: secret('MAIL_BOUNCE_SECRET', 16, {
    description:
      'Secret with which a mail provider reports bounces to `/api/mail-bounces/<secret>` ([mail](mail.md#bounces)).',
    shownDefault: 'none: no report is accepted',
  }),
  smsUrl: setting(
    'SMS_URL',
    'https://account:token@api.twilio.com?from=sender, the sender a number (%2B972…), up to 11 letters or a messaging service',
    readSmsUrl,
    {
      description: 'SMS carrier: `https://account:token@api.twilio.com?from=sender` ([texts](texts.md)).',
      shownDefault: 'none: no SMS',
      isSecret: true,
    },
  ),
  whatsAppUrl: setting(
    'WHATSAPP_URL',
    'https://access-token@graph.facebook.com/version/phone-number-id',
    (value) =>
      readCarrierUrl(value, (url) => url.username !== '' && /^\/v[\d.]+\/\d+\/?$/.test(url.pathname)),
    {
      description: 'WhatsApp API: `https://token@graph.facebook.com/v24.0/phone-number-id`.',
      shownDefault: 'none: WhatsApp messages are sent by hand',
      isSecret: true,
    },
  ),
  whatsAppAppSecret: secret('WHATSAPP_APP_SECRET', 16, {
    description: 'Key with which Meta signs its notifications about messages.',
    shownDefault: 'none: no notification is accepted',
  }),
  whatsAppVerifyToken: secret('WHATSAPP_VERIFY_TOKEN', 16, {
    description: 'Token that Meta shows when it verifies the address of the notifications.',
  }),
  mailsPerDay: integer('MAILS_PER_DAY', 0, 100_000, {
    description:
      'Mails on one organizer’s behalf within 24 hours, over all of their events; a quarter of it on their first day. `0`: only codes and cancellations.',
    default: 2000,
  }),
  mailPauseMinutes: integer('MAIL_PAUSE_MINUTES', 0, 1_440, {
    description: 'Minutes between two mails of one event to one mailbox; `0`: no pause.',
    default: 60,
  }),
  textsPerDay: integer('TEXTS_PER_DAY', 0, 1_000_000, {
    description: 'SMS and WhatsApp messages on one organizer’s behalf within 24 hours.',
    default: 1000,
  }),
};

const sites = {
  hosting: setting<boolean>('HOSTING', 'auto or off', (value) => ({ auto: true, off: false })[value], {
    description: '`auto`: this server runs sites while it holds the lease. `off`: it never does.',
    default: true,
    shownDefault: '`auto`',
  }),
  appsDomain: setting('APPS_DOMAIN', 'a host name without a port', readHostName, {
    description: 'Domain of sites: each is served at `<subdomain>.<APPS_DOMAIN>`.',
    default: 'localhost',
  }),
  appsPort: setting('APPS_PORT', 'a port number from 1 to 65535', (value) => readInteger(value, 1, 65_535), {
    description: 'Additional port that serves only sites.',
  }),
  appsDnsServers: list(
    'APPS_DNS_SERVERS',
    'addresses of resolvers, with a port or without, separated by commas',
    isAddressAndPort,
    { description: 'DNS resolvers for custom domains.', default: [], shownDefault: 'the system’s' },
  ),
  appsGitProtocols: choices('APPS_GIT_PROTOCOLS', GIT_PROTOCOLS, {
    description:
      'Protocols by which repositories may be fetched: `https`, `ssh`, `http`, `git` and `file` (a folder of this machine).',
    default: ['https', 'ssh'],
  }),
  appsAllowPrivateHosts: flag('APPS_ALLOW_PRIVATE_HOSTS', {
    description: '`true`: repositories and registries of images may be on hosts with private addresses.',
    default: false,
  }),
  appsGitCaFile: setting(
    'APPS_GIT_CA_FILE',
    'a file of PEM certificates that can be read',
    (value) => (holdsCertificates(value) ? resolve(value) : undefined),
    {
      description: 'PEM certificates by which https repositories are verified.',
      shownDefault: 'the system’s',
    },
  ),
};

const runtime = {
  appsRuntime: choice('APPS_RUNTIME', APPS_RUNTIMES, {
    description:
      'Runtime of sites: `process` (child processes of the server), `docker` (containers of Docker or Podman, [runtimes](runtimes.md#containers)) or `swarm` (a cluster, [several servers](scale.md)).',
    default: 'process',
  }),
  appsIsolation: choice('APPS_ISOLATION', ['auto', 'sandbox', 'none'], {
    description:
      'Isolation of sites. `auto`: a sandbox, or plain processes if there is none and `HOST` is a loopback address. `sandbox`: required. `none`: no isolation.',
    default: 'auto',
  }),
  appsUid: setting(
    'APPS_UID',
    'a number from 1 to 4294967293',
    (value) => readInteger(value, 1, 2 ** 32 - 3),
    {
      description: 'User and group id of sites and builds, if the server runs as root.',
      default: 58_000,
    },
  ),
  appsAllowNetworks: list(
    'APPS_ALLOW_NETWORKS',
    'addresses or CIDR ranges separated by commas',
    isAddressRange,
    {
      description:
        'Addresses or ranges that sites and builds may reach although they are private or this machine’s own.',
      default: [],
    },
  ),
  appsEngine: setting(
    'APPS_ENGINE',
    'the path of a socket, such as /run/podman/podman.sock',
    (value) => (value.startsWith('/') ? value : undefined),
    { description: 'Socket of the container engine.', default: '/var/run/docker.sock' },
  ),
  appsImageNode: imageSetting('NODE', 'node:{version}-slim'),
  appsImagePython: imageSetting('PYTHON', 'python:{version}-slim'),
  appsImagePhp: imageSetting('PHP', 'composer:2'),
  appsImageRuby: imageSetting('RUBY', 'ruby:{version}-slim'),
  appsImageGo: imageSetting('GO', 'golang:{version}'),
  appsImageRust: imageSetting('RUST', 'rust:{version}-slim'),
  appsDockerfiles: choice('APPS_DOCKERFILES', ['auto', 'on', 'off'], {
    description:
      '`on`: containers are built by a repository’s own [Dockerfile](apps.md#dockerfile) if there is one. `off`: it is ignored. `auto`: `off` if `REGISTRATION` is `open`, otherwise `on`; a Dockerfile is for people whom you trust ([why](security.md#what-is-not-protected)).',
    default: 'auto',
  }),
  appsNamedImages: choice('APPS_NAMED_IMAGES', ['auto', 'on', 'off'], {
    description:
      '`on`: a site may run an [image by its name](apps.md#an-image-by-its-name), if sites run as containers. `auto`: `off` if `REGISTRATION` is `open`, otherwise `on`; an image is for people whom you trust ([why](security.md#what-is-not-protected)).',
    default: 'auto',
  }),
  appsHttpRegistries: list(
    'APPS_HTTP_REGISTRIES',
    'registries separated by commas, each a host with or without a port',
    isRegistry,
    {
      description:
        'Registries that serve sites’ images without TLS, such as `10.0.0.7:5000`. The engine must accept them too (`insecure-registries`).',
      default: [],
      shownDefault: 'none',
    },
  ),
  appsSubnets: setting(
    'APPS_SUBNETS',
    `a range of addresses of at most ${SUBNET_BITS} bits, such as 10.224.0.0/12`,
    (value) => (isSubnets(value) ? value : undefined),
    {
      description: 'Address range from which networks of sites in containers are made, 64 addresses each.',
      default: '10.224.0.0/12',
    },
  ),
  appsRegistry: setting(
    'APPS_REGISTRY',
    'the address of a registry, such as https://user:password@registry.example.com/sites',
    readRegistry,
    {
      description:
        'Registry that gives every machine of a cluster the images of sites, such as `https://user:password@registry.example.com/sites`. Required by `swarm`.',
      isSecret: true,
    },
  ),
};

const limits = {
  appsConcurrency: integer('APPS_CONCURRENCY', 1, 64, {
    description: 'Builds at the same time. One developer gets all places but one, unless there is only one.',
    default: 2,
  }),
  appsCheckoutSeconds: integer('APPS_CHECKOUT_SECONDS', 1, 7_200, {
    description: 'Time limit of fetching a repository.',
    default: 300,
  }),
  appsBuildSeconds: integer('APPS_BUILD_SECONDS', 1, 7_200, {
    description: 'Time limit of installing and building.',
    default: 900,
  }),
  appsHealthSeconds: integer('APPS_HEALTH_SECONDS', 1, 600, {
    description: 'Time within which a new version must answer.',
    default: 60,
  }),
  appsTaskSeconds: integer('APPS_TASK_SECONDS', 1, 86_400, {
    description: 'Time limit of a release command, a job or a command by hand.',
    default: 3_600,
  }),
  appsSilentSeconds: integer('APPS_SILENT_SECONDS', 0, 3_600, {
    description: 'Time without an answer after which a running site is restarted; `0`: never.',
    default: 60,
  }),
  appsWaitSeconds: integer('APPS_WAIT_SECONDS', 0, 300, {
    description:
      'Time that a request waits for a site that is restarting; `0`: 503 with `Retry-After` at once.',
    default: 30,
  }),
  appsResponseSeconds: integer('APPS_RESPONSE_SECONDS', 1, 3_600, {
    description:
      'Longest time that an application may give its site to begin an answer. An application that sets none gives 60 seconds.',
    default: 600,
  }),
  appsBodyMb: integer('APPS_BODY_MB', 0, MOST_MB, {
    description: 'Largest body of a request to a site, in MiB; applications may set less. `0`: no limit.',
    default: 0,
  }),
  appsMemoryMb: integer('APPS_MEMORY_MB', LEAST_MEMORY_MB, MOST_MB, {
    description: 'Memory of one replica of a site, in MiB.',
    default: 512,
  }),
  appsBuildMemoryMb: integer('APPS_BUILD_MEMORY_MB', LEAST_MEMORY_MB, MOST_MB, {
    description: 'Memory of a build, and of git, in MiB.',
    shownDefault: '`4096`, or what sites and builds have together if that is less',
  }),
  appsReserveMb: integer('APPS_RESERVE_MB', 0, MOST_MB, {
    description:
      'Memory that sites and builds together leave to the server and the rest of the machine, in MiB.',
    shownDefault: 'an eighth of the machine’s, from `1024` (half of a small machine’s) to `4096`',
  }),
  appsCpus: setting('APPS_CPUS', 'a number from 0.1 to 1024, such as 1.5', readCpus, {
    description:
      'Processors that one replica of a site may keep busy. A busy machine is shared fairly in any case ([isolation](isolation.md)).',
    shownDefault: 'all',
  }),
  appsDiskMb: integer('APPS_DISK_MB', 16, MOST_MB, {
    description:
      'Disk space in MiB of a repository, of a build, of its cache, of a site’s home, and of the temporary folder of each process.',
    default: 2048,
  }),
  appsUploadMb: integer('APPS_UPLOAD_MB', 1, 1_024, {
    description:
      'Size limit in MiB of the archive of an uploaded folder. The database keeps those of releases.',
    default: 100,
  }),
  appsReleasesKept: integer('APPS_RELEASES_KEPT', 2, 100, {
    description: 'Releases of an application that are kept to roll back to.',
    default: 5,
  }),
  appsPreviews: integer('APPS_PREVIEWS', 0, 100, {
    description: '[Previews](previews.md) of an application.',
    default: 10,
  }),
  appsPreviewSleepHours: integer('APPS_PREVIEW_SLEEP_HOURS', 0, 8_760, {
    description: 'Hours without a visit after which a preview sleeps; `0`: never.',
    default: 24,
  }),
};

const budget = {
  ownerApplications: ownerSetting('APPLICATIONS', {
    description: 'Applications of one developer.',
    default: 200,
  }),
  ownerReplicas: ownerSetting('REPLICAS', { description: 'Running replicas of one developer.', default: 40 }),
  ownerMemoryMb: ownerSetting('MEMORY_MB', {
    description: 'Memory of one developer’s running replicas in MiB; each counts as `APPS_MEMORY_MB`.',
    shownDefault: 'half of the machine’s; no limit in a cluster',
  }),
  ownerProcesses: ownerSetting('PROCESSES', {
    description: 'Threads of one developer’s running replicas; each counts as 500.',
    default: 20_000,
  }),
  ownerDiskMb: ownerSetting('DISK_MB', {
    description: 'Disk space of one developer’s applications, in MiB.',
    default: 51_200,
  }),
};

export const settings = {
  ...server,
  ...storage,
  ...identity,
  ...messages,
  ...sites,
  ...runtime,
  ...limits,
  ...budget,
};

export interface SettingGroup {
  title: string;
  about?: string;
  settings: Readonly<Record<string, Setting<unknown>>>;
}

/** Groups of the settings, as the documentation shows them. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  { title: 'Server', settings: server },
  { title: 'Storage', settings: storage },
  { title: 'Users', settings: identity },
  { title: 'Mail and text messages', settings: messages },
  { title: 'Hosting', settings: sites },
  { title: 'Runtime of sites', settings: runtime },
  { title: 'Limits of sites and builds', settings: limits },
  {
    title: 'Limits of a developer',
    about:
      'Over all applications of one developer. `0`: no limit. `npm run budget` sets all five for one developer.',
    settings: budget,
  },
];

/** True if a secret is so short that it can be guessed. */
export function isShortSecret(value: string): boolean {
  return value.length < SECRET_LENGTH;
}

function ownerSetting(
  resource: string,
  options: SettingOptions<number> & { default: number },
): Setting<number, number>;
function ownerSetting(
  resource: string,
  options: SettingOptions<number> & { default?: never },
): Setting<number, undefined>;
function ownerSetting(resource: string, options: SettingOptions<number>) {
  const expected = 'a whole number from 0 to 16777216, 0 for no limit';
  return setting(`OWNER_${resource}`, expected, (value) => readInteger(value, 0, 2 ** 24), options);
}

/**
 * Name of a container image; see https://github.com/distribution/reference. The image's registry checks further rules.
 */
function imageSetting(language: string, image: string): Setting<string, string> {
  return setting(
    `APPS_IMAGE_${language}`,
    'the name of an image, such as registry.example.com/node:{version}',
    (value) =>
      /^[a-z0-9][\w.:/-]*(@sha256:[0-9a-f]{64})?$/.test(value.replaceAll('{version}', '0'))
        ? value
        : undefined,
    {
      description: `Base image of ${language === 'PHP' ? 'PHP' : language.charAt(0) + language.slice(1).toLowerCase()} sites in containers. \`{version}\` stands for the version that a source asks for.`,
      default: image,
    },
  );
}

/** True for an address to which a `+` and the token of a mail can be added before the @. */
function isBounceAddress(value: string): boolean {
  return isMailAddress(value) && !value.includes('+') && value.indexOf('@') <= LONGEST_BOUNCE_NAME;
}

/** True for a URL of one of these protocols that has a user and a password. */
function isLoginUrl(value: string, protocols: readonly string[]): boolean {
  const url = readUrl(value, protocols);
  return url !== undefined && new URL(url).username !== '' && new URL(url).password !== '';
}

function readRegistration(value: string): Registration | undefined {
  if (value === 'open' || value === 'closed') return value;
  // A single word without a dot is refused: it is more likely a misspelt "open" or "closed" than a domain.
  return readList(value, (item) => item.includes('.') && readHostName(item) !== undefined);
}

function isRegistry(value: string): boolean {
  return /^([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/.test(value);
}

function readRegistry(value: string) {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !HTTP.includes(url.protocol) || url.search !== '' || url.hash !== '') return undefined;
  const path = url.pathname.replace(/\/$/, '');
  const isWhole = (url.username === '') === (url.password === '');
  if (!isWhole || !/^(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/.test(path)) return undefined;
  const login = {
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
  const registry: { origin: string; prefix: string; user?: string; password?: string } = {
    origin: url.origin,
    /** Address of an image's registry and folders, without `https://`. */
    prefix: `${url.host}${path}`,
  };
  return url.username === '' ? registry : { ...registry, ...login };
}

function isSubnets(value: string): boolean {
  const [address = '', bits = ''] = value.split('/');
  return isAddressRange(value) && address.includes('.') && readInteger(bits, 8, SUBNET_BITS) !== undefined;
}

function readCpus(value: string): number | undefined {
  const cpus = /^\d{1,4}(\.\d{1,2})?$/.test(value) ? Number(value) : Number.NaN;
  return cpus >= 0.1 && cpus <= 1_024 ? cpus : undefined;
}

/** Address of a carrier of texts. Its login is part of it, so it must use TLS or stay on this machine. */
function readCarrierUrl(value: string, fits: (url: URL) => boolean): string | undefined {
  const address = readUrl(value, HTTP);
  if (address === undefined) return undefined;
  const url = new URL(address);
  const isSafe = url.protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return isSafe && fits(url) ? address : undefined;
}

function readSmsUrl(value: string): string | undefined {
  return readCarrierUrl(
    value,
    ({ username, password, searchParams }) =>
      username !== '' &&
      password !== '' &&
      /^(\+\d{7,15}|MG[0-9a-f]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(searchParams.get('from') ?? ''),
  );
}
