import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { defaultReserveMb, machineMemoryMb } from './machine.ts';

/** Ways to run sites. */
export const APPS_RUNTIMES = ['process', 'docker', 'swarm'] as const;
export type AppsRuntime = (typeof APPS_RUNTIMES)[number];

/**
 * Every setting of the server, read from the environment in this one place. The README's table and
 * `test/readme.test.ts` follow the list below.
 */
export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  dataDir: string;
  /** URL of PostgreSQL; undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  /** Key of tokens and links; undefined: generated once and stored in `dataDir`. */
  jwtSecret: string | undefined;
  jwtJwksUrl: string | undefined;
  jwtIssuer: string | undefined;
  jwtAudience: string | undefined;
  corsOrigins: string[];
  /** Addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[];
  /** Requests a minute for one credential, or for one client address without a credential. */
  rateLimit: number;
  /** Requests a quarter hour for one client address where guessing pays: registration, codes, sign-in. */
  strictRateLimit: number;
  /** People who may sign up: everybody, only those invited, or also people with an address at one of these domains. */
  registration: 'open' | 'closed' | string[];
  /** Contact for people who can't use a page; undefined: only the event's hosts. */
  accessibilityContact: string | undefined;
  /** Token that `/metrics` requires; undefined: it answers only this machine. */
  metricsToken: string | undefined;
  /** True if `/metrics` answers everybody. */
  metricsOpen: boolean;
  logLevel: string;
  logFormat: 'pretty' | 'json';
  appsRuntime: AppsRuntime;
  /** Socket of the container engine that runs sites. */
  appsEngine: string;
  /** Base images for builds and runs, by language; `{version}` stands for the version that a source asks for. */
  appsImages: Record<(typeof LANGUAGES)[number], string>;
  /** True if Dockerfiles of repositories are built. */
  appsDockerfiles: boolean;
  /** Address range from which networks of sites in containers are made. */
  appsSubnets: string;
  /** Registry that gives every machine of a cluster the images of sites; `prefix` is without a scheme. */
  appsRegistry: { origin: string; prefix: string; user?: string; password?: string } | undefined;
  /** Origin at which other servers reach this one, to pass on requests to its sites. */
  internalUrl: string | undefined;
  /** True if this server may run sites. */
  hosting: boolean;
  appsIsolation: 'auto' | 'sandbox' | 'none';
  /** Networks that sites and builds may reach although they are private or this machine's own. */
  appsAllowNetworks: string[];
  /** User and group under which sites and builds run if the server may choose one. */
  appsUid: number;
  /** Maximum number of deployments in progress at once. */
  appsConcurrency: number;
  appsCheckoutSeconds: number;
  appsBuildSeconds: number;
  appsBuildMemoryMb: number;
  appsHealthSeconds: number;
  /** Time limit of a command that runs beside a site. */
  appsTaskSeconds: number;
  /** Maximum number of previews of an application. */
  appsPreviews: number;
  /** Hours without a visit after which a preview is put to sleep; 0: never. */
  appsPreviewSleepHours: number;
  /** Seconds without an answer after which a running site is restarted; 0: never. */
  appsSilentSeconds: number;
  /** Seconds a request waits for a site that is restarting. */
  appsWaitSeconds: number;
  appsMemoryMb: number;
  /** Processors that one replica of a site may keep busy; undefined: all. */
  appsCpus: number | undefined;
  /** Memory of all sites and builds of this server together: the machine's without APPS_RESERVE_MB. */
  appsTogetherMb: number;
  /** Disk space of a repository, of a build, and of an application's build cache, each. */
  appsDiskMb: number;
  appsReleasesKept: number;
  /** Limits of one owner over all of their applications; 0: no limit. */
  ownerApplications: number;
  ownerReplicas: number;
  ownerMemoryMb: number;
  /** Limit of threads. */
  ownerProcesses: number;
  ownerDiskMb: number;
  /** Keys of which the first encrypts and all decrypt; empty: one is generated once and stored in `dataDir`. */
  encryptionKeys: string[];
  /** Mail server; undefined: mail goes into an outbox in `dataDir`. */
  smtpUrl: string | undefined;
  /** Sender of mails; undefined: derived from the host of `publicUrl`. */
  mailFrom: string | undefined;
  /** SMS carrier; undefined: no SMS. */
  smsUrl: string | undefined;
  /** WhatsApp API; undefined: WhatsApp messages are sent only by hand. */
  whatsAppUrl: string | undefined;
  /** Key with which Meta signs its notifications; undefined: none are accepted. */
  whatsAppAppSecret: string | undefined;
  /** Token that Meta shows when it verifies the address of the notifications. */
  whatsAppVerifyToken: string | undefined;
  /** Maximum number of mails on one organizer's behalf within 24 hours; a quarter of it on their first day. */
  mailsPerDay: number;
  /** Minutes between two mails of one event to one mailbox; 0: no pause. */
  mailPauseMinutes: number;
  /** Maximum number of SMS and WhatsApp messages on one organizer's behalf within 24 hours. */
  textsPerDay: number;
  /** True to serve nothing that is meant only for development. */
  production: boolean;
  /** Domain of sites: each is served at `<subdomain>.<appsDomain>`. */
  appsDomain: string;
  /** Protocols by which repositories may be fetched. */
  appsGitProtocols: GitProtocol[];
  /** PEM certificates by which https repositories are verified; undefined: the system's. */
  appsGitCaFile: string | undefined;
  /** True if repositories may be on hosts with private or link-local addresses. */
  appsAllowPrivateHosts: boolean;
  /** Additional port that serves only sites; undefined: none. */
  appsPort: number | undefined;
  /** DNS resolvers for custom domains; empty: the system's. */
  appsDnsServers: string[];
  /** Further host names of the platform, beside the host of `publicUrl`. */
  platformHosts: string[];
}

const LANGUAGES = ['node', 'python', 'php', 'ruby', 'go'] as const;

export const GIT_PROTOCOLS = ['https', 'ssh', 'http', 'git', 'file'] as const;
export type GitProtocol = (typeof GIT_PROTOCOLS)[number];

/** Setting with which the server can't start; the message is one sentence for the operator. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

interface Setting<T> {
  name: string;
  expected: string;
  /** Parses the text of the variable; undefined if it is invalid. */
  read: (text: string) => T | undefined;
}

const SECRET_LENGTH = 32;
/** Prefix length of one site's network. */
const SUBNET_BITS = 26;
/** Minimum memory of a site or a build, and therefore of all of them together. */
const LEAST_MEMORY_MB = 64;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const settings = {
  host: setting('HOST', 'a host name or an address', (text) => text),
  port: setting('PORT', 'a port number from 0 to 65535', (text) => integer(text, 0, 65_535)),
  publicUrl: setting('PUBLIC_URL', 'an http or https address without a path', (text) =>
    addressOf(text, ['http:', 'https:']),
  ),
  dataDir: setting('DATA_DIR', 'a folder', (text) => resolve(text)),
  databaseUrl: setting('DATABASE_URL', 'postgres://user:password@host:port/database', (text) =>
    urlOf(text, ['postgres:', 'postgresql:']),
  ),
  databasePoolSize: setting('DATABASE_POOL_SIZE', 'a whole number from 1 to 500', (text) =>
    integer(text, 1, 500),
  ),
  jwtSecret: setting(
    'JWT_SECRET',
    `a secret of ${SECRET_LENGTH} characters or more if NODE_ENV is production`,
    (text) => text,
  ),
  jwtJwksUrl: setting('JWT_JWKS_URL', 'an http or https address', (text) => urlOf(text, ['http:', 'https:'])),
  jwtIssuer: setting('JWT_ISSUER', 'the issuer in the tokens', (text) => text),
  jwtAudience: setting('JWT_AUDIENCE', 'the audience in the tokens', (text) => text),
  corsOrigins: setting('CORS_ORIGINS', 'origins separated by commas, or *', (text) => list(text, isOrigin)),
  trustedProxies: setting('TRUSTED_PROXIES', 'addresses or CIDR ranges separated by commas', (text) =>
    list(text, isAddressRange),
  ),
  rateLimit: setting('RATE_LIMIT', 'a whole number from 1 to 1000000000', (text) => integer(text, 1, 1e9)),
  strictRateLimit: setting('STRICT_RATE_LIMIT', 'a whole number from 1 to 1000000000', (text) =>
    integer(text, 1, 1e9),
  ),
  registration: setting(
    'REGISTRATION',
    'open, closed, or mail domains separated by commas, such as example.com,example.org',
    (text) => readRegistration(text.toLowerCase()),
  ),
  metricsToken: setting('METRICS_TOKEN', 'at least 16 characters', (text) =>
    text.length >= 16 ? text : undefined,
  ),
  metricsOpen: setting('METRICS_OPEN', 'true or false', flag),
  logLevel: setting('LOG_LEVEL', LOG_LEVELS.join(', '), (text) =>
    LOG_LEVELS.includes(text) ? text : undefined,
  ),
  logFormat: setting('LOG_FORMAT', 'pretty or json', (text) =>
    text === 'pretty' || text === 'json' ? text : undefined,
  ),
  appsRuntime: setting('APPS_RUNTIME', 'process, docker or swarm', (text) =>
    APPS_RUNTIMES.find((one) => one === text),
  ),
  appsEngine: setting('APPS_ENGINE', 'the path of a socket, such as /run/podman/podman.sock', (text) =>
    text.startsWith('/') ? text : undefined,
  ),
  appsImageNode: imageSetting('NODE'),
  appsImagePython: imageSetting('PYTHON'),
  appsImagePhp: imageSetting('PHP'),
  appsImageRuby: imageSetting('RUBY'),
  appsImageGo: imageSetting('GO'),
  appsDockerfiles: setting('APPS_DOCKERFILES', 'on or off', (text) => ({ on: true, off: false })[text]),
  appsSubnets: setting(
    'APPS_SUBNETS',
    `a range of addresses of at most ${SUBNET_BITS} bits, such as 10.224.0.0/12`,
    (text) => (isSubnets(text) ? text : undefined),
  ),
  appsRegistry: setting(
    'APPS_REGISTRY',
    'the address of a registry, such as https://user:password@registry.example.com/sites',
    readRegistry,
  ),
  internalUrl: setting('INTERNAL_URL', 'an http address without a path', (text) =>
    addressOf(text, ['http:']),
  ),
  hosting: setting('HOSTING', 'auto or off', (text) => ({ auto: true, off: false })[text]),
  appsIsolation: setting('APPS_ISOLATION', 'auto, sandbox or none', (text) =>
    text === 'auto' || text === 'sandbox' || text === 'none' ? text : undefined,
  ),
  appsAllowNetworks: setting('APPS_ALLOW_NETWORKS', 'addresses or CIDR ranges separated by commas', (text) =>
    list(text, isAddressRange),
  ),
  appsUid: setting('APPS_UID', 'a number from 1 to 4294967293', (text) => integer(text, 1, 2 ** 32 - 3)),
  appsConcurrency: setting('APPS_CONCURRENCY', 'a whole number from 1 to 64', (text) => integer(text, 1, 64)),
  appsCheckoutSeconds: setting('APPS_CHECKOUT_SECONDS', 'a whole number from 1 to 7200', (text) =>
    integer(text, 1, 7200),
  ),
  appsBuildSeconds: setting('APPS_BUILD_SECONDS', 'a whole number from 1 to 7200', (text) =>
    integer(text, 1, 7200),
  ),
  appsBuildMemoryMb: setting('APPS_BUILD_MEMORY_MB', 'a whole number from 64 to 1048576', (text) =>
    integer(text, 64, 2 ** 20),
  ),
  appsTaskSeconds: setting('APPS_TASK_SECONDS', 'a whole number from 1 to 86400', (text) =>
    integer(text, 1, 86_400),
  ),
  appsPreviews: setting('APPS_PREVIEWS', 'a whole number from 0 to 100', (text) => integer(text, 0, 100)),
  appsPreviewSleepHours: setting('APPS_PREVIEW_SLEEP_HOURS', 'a whole number from 0 to 8760', (text) =>
    integer(text, 0, 8_760),
  ),
  appsHealthSeconds: setting('APPS_HEALTH_SECONDS', 'a whole number from 1 to 600', (text) =>
    integer(text, 1, 600),
  ),
  appsSilentSeconds: setting('APPS_SILENT_SECONDS', 'a whole number from 0 to 3600', (text) =>
    integer(text, 0, 3_600),
  ),
  appsWaitSeconds: setting('APPS_WAIT_SECONDS', 'a whole number from 0 to 300', (text) =>
    integer(text, 0, 300),
  ),
  appsMemoryMb: setting('APPS_MEMORY_MB', 'a whole number from 64 to 1048576', (text) =>
    integer(text, 64, 2 ** 20),
  ),
  appsCpus: setting('APPS_CPUS', 'a number from 0.1 to 1024, such as 1.5', (text) => {
    const cpus = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
    return cpus >= 0.1 && cpus <= 1_024 ? cpus : undefined;
  }),
  appsReserveMb: setting('APPS_RESERVE_MB', 'a whole number from 0 to 1048576', (text) =>
    integer(text, 0, 2 ** 20),
  ),
  appsDiskMb: setting('APPS_DISK_MB', 'a whole number from 16 to 1048576', (text) =>
    integer(text, 16, 2 ** 20),
  ),
  appsReleasesKept: setting('APPS_RELEASES_KEPT', 'a whole number from 2 to 100', (text) =>
    integer(text, 2, 100),
  ),
  ownerApplications: ownerSetting('APPLICATIONS'),
  ownerReplicas: ownerSetting('REPLICAS'),
  ownerMemoryMb: ownerSetting('MEMORY_MB'),
  ownerProcesses: ownerSetting('PROCESSES'),
  ownerDiskMb: ownerSetting('DISK_MB'),
  encryptionKeys: setting(
    'ENCRYPTION_KEY',
    `a secret of ${SECRET_LENGTH} characters or more; several separated by commas, the newest first`,
    (text) => list(text, (item) => item.length >= SECRET_LENGTH),
  ),
  smtpUrl: setting('SMTP_URL', 'smtp://user:password@host:port, or smtps:// for TLS from the start', (text) =>
    urlOf(text, ['smtp:', 'smtps:']),
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'a mail address, or a name and an address: Simcha <simcha@example.com>',
    (text) => (isMailbox(text) ? text : undefined),
  ),
  smsUrl: setting(
    'SMS_URL',
    'https://account:token@api.twilio.com?from=sender, the sender a number (%2B972…), up to 11 letters or a messaging service',
    smsAddress,
  ),
  whatsAppUrl: setting(
    'WHATSAPP_URL',
    'https://access-token@graph.facebook.com/version/phone-number-id',
    (text) => carrierAddress(text, (url) => url.username !== '' && /^\/v[\d.]+\/\d+\/?$/.test(url.pathname)),
  ),
  whatsAppAppSecret: setting('WHATSAPP_APP_SECRET', 'at least 16 characters', (text) =>
    text.length >= 16 ? text : undefined,
  ),
  whatsAppVerifyToken: setting('WHATSAPP_VERIFY_TOKEN', 'at least 16 characters', (text) =>
    text.length >= 16 ? text : undefined,
  ),
  mailsPerDay: setting('MAILS_PER_DAY', 'a whole number from 0 to 100000', (text) =>
    integer(text, 0, 100_000),
  ),
  mailPauseMinutes: setting('MAIL_PAUSE_MINUTES', 'a whole number from 0 to 1440', (text) =>
    integer(text, 0, 1_440),
  ),
  textsPerDay: setting('TEXTS_PER_DAY', 'a whole number from 0 to 1000000', (text) =>
    integer(text, 0, 1_000_000),
  ),
  accessibilityContact: setting(
    'ACCESSIBILITY_CONTACT',
    'a name, with a phone number or a mail address, of at most 200 characters',
    (text) => (text.length <= 200 ? text : undefined),
  ),
  environment: setting('NODE_ENV', 'production, or anything else', (text) => text),
  appsDomain: setting('APPS_DOMAIN', 'a host name without a port', hostOnly),
  appsGitProtocols: setting('APPS_GIT_PROTOCOLS', `some of ${GIT_PROTOCOLS.join(', ')}`, (text) =>
    list(text, (item) => GIT_PROTOCOLS.some((one) => one === item)),
  ),
  appsGitCaFile: setting('APPS_GIT_CA_FILE', 'a file of PEM certificates that can be read', (text) =>
    holdsCertificates(text) ? resolve(text) : undefined,
  ),
  appsAllowPrivateHosts: setting('APPS_ALLOW_PRIVATE_HOSTS', 'true or false', flag),
  appsPort: setting('APPS_PORT', 'a port number from 1 to 65535', (text) => integer(text, 1, 65_535)),
  appsDnsServers: setting(
    'APPS_DNS_SERVERS',
    'addresses of resolvers, with a port or without, separated by commas',
    (text) => list(text, isAddressAndPort),
  ),
  platformHosts: setting('PLATFORM_HOSTS', 'host names without a port, separated by commas', (text) =>
    list(text.toLowerCase(), (item) => hostOnly(item) !== undefined),
  ),
};

/** Names of the environment variables that the server reads. */
export const settingNames: string[] = Object.values(settings).map((one) => one.name);

const SECRET_SETTINGS = new Set([
  'JWT_SECRET',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'APPS_REGISTRY',
  'ENCRYPTION_KEY',
  'SMTP_URL',
  'SMS_URL',
  'WHATSAPP_URL',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_VERIFY_TOKEN',
]);

/** Environment of the process, completed by a `.env` file in the working folder if there is one. */
export function loadEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** Default memory of a build if the machine has more. */
const BUILD_MEMORY_MB = 4_096;

/**
 * Throws a ConfigError for the first wrong value. An empty variable counts as unset. `machineMb` is the machine's
 * memory in MiB.
 */
export function readConfig(variables: Environment, terminal = false, machineMb = machineMemoryMb()): Config {
  const read = <T>(one: Setting<T>): T | undefined => {
    const text = variables[one.name]?.trim();
    if (!text) return undefined;
    const value = one.read(text);
    if (value === undefined) {
      throw invalidSetting(one, text);
    }
    return value;
  };
  const port = read(settings.port) ?? 3000;
  const appsTogetherMb = machineMb - (read(settings.appsReserveMb) ?? defaultReserveMb(machineMb));
  if (appsTogetherMb < LEAST_MEMORY_MB) {
    throw new ConfigError(
      `APPS_RESERVE_MB leaves ${appsTogetherMb} of this machine’s ${machineMb} MiB to sites and builds; expected a number that leaves ${LEAST_MEMORY_MB} or more.`,
    );
  }
  const config: Config = {
    host: read(settings.host) ?? '127.0.0.1',
    port,
    publicUrl: read(settings.publicUrl) ?? `http://localhost:${port}`,
    dataDir: read(settings.dataDir) ?? resolve('data'),
    databaseUrl: read(settings.databaseUrl),
    databasePoolSize: read(settings.databasePoolSize) ?? 10,
    jwtSecret: read(settings.jwtSecret),
    jwtJwksUrl: read(settings.jwtJwksUrl),
    jwtIssuer: read(settings.jwtIssuer),
    jwtAudience: read(settings.jwtAudience),
    corsOrigins: read(settings.corsOrigins) ?? [],
    accessibilityContact: read(settings.accessibilityContact),
    trustedProxies: read(settings.trustedProxies) ?? [],
    rateLimit: read(settings.rateLimit) ?? 6000,
    strictRateLimit: read(settings.strictRateLimit) ?? 60,
    registration: read(settings.registration) ?? 'open',
    metricsToken: read(settings.metricsToken),
    metricsOpen: read(settings.metricsOpen) ?? false,
    logLevel: read(settings.logLevel) ?? 'info',
    logFormat: read(settings.logFormat) ?? (terminal ? 'pretty' : 'json'),
    appsRuntime: read(settings.appsRuntime) ?? 'process',
    appsEngine: read(settings.appsEngine) ?? '/var/run/docker.sock',
    appsImages: {
      node: read(settings.appsImageNode) ?? 'node:{version}-slim',
      python: read(settings.appsImagePython) ?? 'python:{version}-slim',
      php: read(settings.appsImagePhp) ?? 'composer:2',
      ruby: read(settings.appsImageRuby) ?? 'ruby:{version}-slim',
      go: read(settings.appsImageGo) ?? 'golang:{version}',
    },
    appsDockerfiles: read(settings.appsDockerfiles) ?? true,
    appsSubnets: read(settings.appsSubnets) ?? '10.224.0.0/12',
    appsRegistry: read(settings.appsRegistry),
    internalUrl: read(settings.internalUrl),
    hosting: read(settings.hosting) ?? true,
    appsIsolation: read(settings.appsIsolation) ?? 'auto',
    appsAllowNetworks: read(settings.appsAllowNetworks) ?? [],
    appsUid: read(settings.appsUid) ?? 58_000,
    appsConcurrency: read(settings.appsConcurrency) ?? 2,
    appsCheckoutSeconds: read(settings.appsCheckoutSeconds) ?? 300,
    appsBuildSeconds: read(settings.appsBuildSeconds) ?? 900,
    appsBuildMemoryMb: read(settings.appsBuildMemoryMb) ?? Math.min(BUILD_MEMORY_MB, appsTogetherMb),
    appsTaskSeconds: read(settings.appsTaskSeconds) ?? 3_600,
    appsPreviews: read(settings.appsPreviews) ?? 10,
    appsPreviewSleepHours: read(settings.appsPreviewSleepHours) ?? 24,
    appsHealthSeconds: read(settings.appsHealthSeconds) ?? 60,
    appsSilentSeconds: read(settings.appsSilentSeconds) ?? 60,
    appsWaitSeconds: read(settings.appsWaitSeconds) ?? 30,
    appsMemoryMb: read(settings.appsMemoryMb) ?? 512,
    appsCpus: read(settings.appsCpus),
    appsTogetherMb,
    appsDiskMb: read(settings.appsDiskMb) ?? 2048,
    appsReleasesKept: read(settings.appsReleasesKept) ?? 5,
    ownerApplications: read(settings.ownerApplications) ?? 200,
    ownerReplicas: read(settings.ownerReplicas) ?? 40,
    ownerMemoryMb: read(settings.ownerMemoryMb) ?? halfOfMemoryMb(read(settings.appsRuntime)),
    ownerProcesses: read(settings.ownerProcesses) ?? 20_000,
    ownerDiskMb: read(settings.ownerDiskMb) ?? 51_200,
    encryptionKeys: read(settings.encryptionKeys) ?? [],
    smtpUrl: read(settings.smtpUrl),
    mailFrom: read(settings.mailFrom),
    smsUrl: read(settings.smsUrl),
    whatsAppUrl: read(settings.whatsAppUrl),
    whatsAppAppSecret: read(settings.whatsAppAppSecret),
    whatsAppVerifyToken: read(settings.whatsAppVerifyToken),
    mailsPerDay: read(settings.mailsPerDay) ?? 2000,
    mailPauseMinutes: read(settings.mailPauseMinutes) ?? 60,
    textsPerDay: read(settings.textsPerDay) ?? 1000,
    production: read(settings.environment) === 'production',
    appsDomain: read(settings.appsDomain) ?? 'localhost',
    appsGitProtocols: (read(settings.appsGitProtocols) as GitProtocol[] | undefined) ?? ['https', 'ssh'],
    appsGitCaFile: read(settings.appsGitCaFile),
    appsAllowPrivateHosts: read(settings.appsAllowPrivateHosts) ?? false,
    appsPort: read(settings.appsPort),
    appsDnsServers: read(settings.appsDnsServers) ?? [],
    platformHosts: read(settings.platformHosts) ?? [],
  };
  if (config.production && config.jwtSecret && isShortSecret(config.jwtSecret)) {
    throw invalidSetting(settings.jwtSecret, config.jwtSecret);
  }
  if (config.appsPort !== undefined && config.appsPort === config.port) {
    throw new ConfigError(
      `APPS_PORT is ${config.appsPort}, the same as PORT; expected another port, or none.`,
    );
  }
  if (config.appsRuntime === 'swarm' && !config.appsRegistry) {
    throw new ConfigError(
      'APPS_RUNTIME is swarm, but APPS_REGISTRY is not set: the machines of the cluster pull images from it.',
    );
  }
  if (!config.jwtJwksUrl && (config.jwtIssuer || config.jwtAudience)) {
    const name = config.jwtIssuer ? 'JWT_ISSUER' : 'JWT_AUDIENCE';
    throw new ConfigError(`${name} is set without JWT_JWKS_URL, and has no effect without it.`);
  }
  if (config.jwtJwksUrl && !config.jwtAudience) {
    throw new ConfigError(
      'JWT_JWKS_URL is set without JWT_AUDIENCE: tokens that the provider signs for other applications would be accepted too.',
    );
  }
  return config;
}

function invalidSetting({ name, expected }: Setting<unknown>, text: string): ConfigError {
  const value = SECRET_SETTINGS.has(name) ? 'invalid' : JSON.stringify(text);
  return new ConfigError(`${name} is ${value}; expected ${expected}.`);
}

/** True if a secret is short enough to be guessed. */
export function isShortSecret(secret: string): boolean {
  return secret.length < SECRET_LENGTH;
}

function setting<T>(name: string, expected: string, read: (text: string) => T | undefined): Setting<T> {
  return { name, expected, read };
}

function ownerSetting(resource: string): Setting<number> {
  return setting(`OWNER_${resource}`, 'a whole number from 0 to 16777216, 0 for no limit', (text) =>
    integer(text, 0, 2 ** 24),
  );
}

/**
 * Half of this machine's memory in MiB. The memory of a cluster is not known here, so its limit is 0, which means none.
 */
function halfOfMemoryMb(runtime: AppsRuntime | undefined): number {
  return runtime === 'swarm' ? 0 : Math.floor(machineMemoryMb() / 2);
}

/** Image name; see https://github.com/distribution/reference. Its registry checks further rules. */
function imageSetting(language: string): Setting<string> {
  return setting(
    `APPS_IMAGE_${language}`,
    'the name of an image, such as registry.example.com/node:{version}',
    (text) =>
      /^[a-z0-9][\w.:/-]*(@sha256:[0-9a-f]{64})?$/.test(text.replaceAll('{version}', '0')) ? text : undefined,
  );
}

function readRegistry(text: string): Config['appsRegistry'] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    return undefined;
  const path = url.pathname.replace(/\/$/, '');
  const isWhole = (url.username === '') === (url.password === '');
  if (!isWhole || !/^(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/.test(path)) return undefined;
  return {
    origin: url.origin,
    prefix: `${url.host}${path}`,
    ...(url.username !== '' && {
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    }),
  };
}

function isSubnets(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  return isIP(address) === 4 && isAddressRange(text) && integer(bits, 8, SUBNET_BITS) !== undefined;
}

function integer(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

function urlOf(text: string, protocols: string[]): string | undefined {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined;
}

/** Address of a carrier of texts. Its login is part of it, so it must use TLS or stay on this machine. */
function carrierAddress(text: string, fits: (url: URL) => boolean): string | undefined {
  const address = urlOf(text, ['https:', 'http:']);
  if (address === undefined) return undefined;
  const url = new URL(address);
  const isSafe = url.protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return isSafe && fits(url) ? address : undefined;
}

function smsAddress(text: string): string | undefined {
  return carrierAddress(
    text,
    ({ username, password, searchParams }) =>
      username !== '' &&
      password !== '' &&
      /^(\+\d{7,15}|MG[0-9a-f]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(searchParams.get('from') ?? ''),
  );
}

/** Address without trailing slashes, so that it can be printed and put in front of paths. */
function addressOf(text: string, protocols: string[]): string | undefined {
  const address = urlOf(text, protocols)?.replace(/\/+$/, '');
  if (address === undefined) return undefined;
  const { pathname, search, hash } = new URL(address);
  return pathname === '/' && !search && !hash ? address : undefined;
}

function holdsCertificates(path: string): boolean {
  try {
    return readFileSync(path, 'latin1').includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false;
  }
}

function list(text: string, fits: (item: string) => boolean): string[] | undefined {
  const items = text.split(',').map((item) => item.trim());
  return items.every(fits) ? items : undefined;
}

function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || integer(bits, 0, family === 4 ? 32 : 128) !== undefined;
}

function hostOnly(text: string): string | undefined {
  return /^[a-z0-9]([a-z0-9-]|\.(?=[a-z0-9])){0,252}$/i.test(text) ? text.toLowerCase() : undefined;
}

function readRegistration(text: string): Config['registration'] | undefined {
  if (text === 'open' || text === 'closed') return text;
  // Without a dot, a word is a misspelt open or closed rather than a domain.
  return list(text, (item) => item.includes('.') && hostOnly(item) !== undefined);
}

function isAddressAndPort(text: string): boolean {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  if (port !== undefined && integer(port, 1, 65_535) === undefined) return false;
  return isIP(six ?? '') === 6 || isIP(four ?? '') === 4 || isIP(text) === 6;
}

function flag(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function isMailbox(text: string): boolean {
  return /^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(text);
}
