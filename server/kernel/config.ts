import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { defaultReserveMb, machineMemoryMb } from './machine.ts';
import type { Setting } from './setting-types.ts';
import { type AppsRuntime, isShortSecret, LEAST_MEMORY_MB, settings } from './settings.ts';

// Configuration of the server, read from environment variables in this one place. settings.ts lists the variables.

type Settings = typeof settings;
type Values = {
  [K in keyof Settings]: Settings[K] extends Setting<infer T, infer D> ? T | D : never;
};

/** Settings whose value is stored under another name or in another form than its environment variable has. */
type Converted =
  | 'environment'
  | 'appsDockerfiles'
  | 'appsNamedImages'
  | 'appsReserveMb'
  | 'appsImageNode'
  | 'appsImagePython'
  | 'appsImagePhp'
  | 'appsImageRuby'
  | 'appsImageGo'
  | 'appsImageRust';
/** Settings whose default depends on other settings or on the machine. */
type Defaulted = 'publicUrl' | 'logFormat' | 'appsBuildMemoryMb' | 'ownerMemoryMb';

export type Config = Omit<Values, Converted | Defaulted> & {
  [K in Defaulted]: NonNullable<Values[K]>;
} & {
  /** Tells whether builds may use Dockerfiles of repositories. */
  appsDockerfiles: DockerfileSupport;
  /** Tells whether sites may run images that their owners name. */
  appsNamedImages: NamedImageSupport;
  /** Base images of the containers of sites, by programming language. */
  appsImages: Record<'node' | 'python' | 'php' | 'ruby' | 'go' | 'rust', string>;
  /** Memory of all sites and builds of this server together, in MiB. */
  appsTogetherMb: number;
  /** True in production, where the server serves nothing that is meant only for development. */
  production: boolean;
};

/** Answer to whether builds may use Dockerfiles of repositories; if not, with the reason. */
export type DockerfileSupport = 'built' | 'off' | 'open_registration';

/** Answer to whether sites may run images by name; if not, with the reason. `no_engine`: sites run as processes. */
export type NamedImageSupport = 'on' | 'off' | 'open_registration' | 'no_engine';

/** Thrown for a setting with which the server can't start; the message is one sentence for the operator. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

/** Default memory of a build, in MiB. On a small machine the default is less. */
const BUILD_MEMORY_MB = 4_096;

/**
 * Names in the `.env` file that are no settings, which are probably misspelt. Variables of Node.js and OpenTelemetry may stand there too.
 */
export function unknownNamesInFile(file = '.env'): string[] {
  if (!existsSync(file)) return [];
  const known = new Set(Object.values(settings).map(({ name }) => name));
  return Object.keys(parseEnv(readFileSync(file, 'utf8'))).filter(
    (name) => !known.has(name) && !/^(?:NODE_|OTEL_|UV_|PATH$|HOME$|TZ$|LANG$)/.test(name),
  );
}

/** Environment of the process, completed by a `.env` file in the working folder if there is one. */
export function loadEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/**
 * Reads the configuration. Throws a ConfigError for the first wrong value. An empty variable counts as unset.
 * `machineMb` is the machine's memory in MiB.
 */
export function readConfig(variables: Environment, terminal = false, machineMb = machineMemoryMb()): Config {
  const values = readValues(variables);
  const appsTogetherMb = machineMb - (values.appsReserveMb ?? defaultReserveMb(machineMb));
  if (appsTogetherMb < LEAST_MEMORY_MB) {
    throw new ConfigError(
      `APPS_RESERVE_MB leaves ${appsTogetherMb} of this machine’s ${machineMb} MiB to sites and builds; expected a number that leaves ${LEAST_MEMORY_MB} or more.`,
    );
  }
  const config: Config = {
    ...values,
    publicUrl: values.publicUrl ?? `http://localhost:${values.port}`,
    logFormat: values.logFormat ?? (terminal ? 'pretty' : 'json'),
    production: values.environment === 'production',
    appsDockerfiles: dockerfileSupport(values),
    appsNamedImages: namedImageSupport(values),
    appsImages: {
      node: values.appsImageNode,
      python: values.appsImagePython,
      php: values.appsImagePhp,
      ruby: values.appsImageRuby,
      go: values.appsImageGo,
      rust: values.appsImageRust,
    },
    appsTogetherMb,
    appsBuildMemoryMb: values.appsBuildMemoryMb ?? Math.min(BUILD_MEMORY_MB, appsTogetherMb),
    ownerMemoryMb: values.ownerMemoryMb ?? halfOfMemoryMb(values.appsRuntime),
  };
  checkTogether(config);
  return config;
}

/**
 * A Dockerfile can harm the container engine, so `auto` allows Dockerfiles only if the operator decides who registers.
 */
function dockerfileSupport({ appsDockerfiles, registration }: Values): DockerfileSupport {
  if (appsDockerfiles !== 'auto') return appsDockerfiles === 'on' ? 'built' : 'off';
  return registration === 'open' ? 'open_registration' : 'built';
}

/** An image may run as root of its container, so `auto` allows images only if the operator decides who registers. */
function namedImageSupport({ appsNamedImages, appsRuntime, registration }: Values): NamedImageSupport {
  if (appsRuntime === 'process') return 'no_engine';
  if (appsNamedImages !== 'auto') return appsNamedImages;
  return registration === 'open' ? 'open_registration' : 'on';
}

function readValues(variables: Environment): Values {
  const read = (one: Setting<unknown>) => {
    const text = variables[one.name]?.trim();
    if (!text) return one.default;
    const value = one.read(text);
    if (value === undefined) throw invalidSetting(one, text);
    return value;
  };
  return Object.fromEntries(Object.entries(settings).map(([key, one]) => [key, read(one)])) as Values;
}

/** Throws a ConfigError if the configuration has settings that exclude each other. */
function checkTogether(config: Config): void {
  if (config.production && config.jwtSecret && isShortSecret(config.jwtSecret))
    throw invalidSetting(settings.jwtSecret, config.jwtSecret);
  if (config.appsPort !== undefined && config.appsPort === config.port)
    throw new ConfigError(
      `APPS_PORT is ${config.appsPort}, the same as PORT; expected another port, or none.`,
    );
  if (config.appsRuntime === 'swarm' && !config.appsRegistry)
    throw new ConfigError(
      'APPS_RUNTIME is swarm, but APPS_REGISTRY is not set: the machines of the cluster pull images from it.',
    );
  checkDkim(config);
  checkBounces(config);
  if (!config.jwtJwksUrl && (config.jwtIssuer || config.jwtAudience)) {
    const name = config.jwtIssuer ? 'JWT_ISSUER' : 'JWT_AUDIENCE';
    throw new ConfigError(`${name} is set without JWT_JWKS_URL, and has no effect without it.`);
  }
  if (config.jwtJwksUrl && !config.jwtAudience)
    throw new ConfigError(
      'JWT_JWKS_URL is set without JWT_AUDIENCE: tokens that the provider signs for other applications would be accepted too.',
    );
}

/** Throws a ConfigError if a setting about bounces is set without another setting that it needs. */
function checkBounces({ mailBounceAddress, mailBounceImapUrl, smtpUrl }: Config): void {
  if (mailBounceImapUrl && !mailBounceAddress)
    throw new ConfigError(
      'MAIL_BOUNCE_IMAP_URL is set without MAIL_BOUNCE_ADDRESS: no bounce would go to that mailbox.',
    );
  if (mailBounceAddress && !smtpUrl)
    throw new ConfigError('MAIL_BOUNCE_ADDRESS is set without SMTP_URL, and has no effect without it.');
}

/** Throws a ConfigError if mail can't be signed as the settings of DKIM say. */
function checkDkim(config: Config): void {
  const { mailDkimDomain, mailDkimSelector, mailDkimKey } = settings;
  const parts = Object.entries({ mailDkimDomain, mailDkimSelector, mailDkimKey });
  const missing = parts.filter(([key]) => !config[key as keyof Config]).map(([, { name }]) => name);
  if (missing.length === parts.length) return;
  if (missing.length > 0)
    throw new ConfigError(`Mail can’t be signed by DKIM: ${missing.join(' and ')} must be set too.`);
  if (!config.smtpUrl)
    throw new ConfigError('MAIL_DKIM_KEY is set without SMTP_URL, and has no effect without it.');
}

function invalidSetting({ name, expected, isSecret }: Setting<unknown>, text: string): ConfigError {
  const value = isSecret ? 'invalid' : JSON.stringify(text);
  return new ConfigError(`${name} is ${value}; expected ${expected}.`);
}

/**
 * Half of this machine's memory in MiB. For a cluster it is 0, which means no limit, because the memory of its machines
 * is not known here.
 */
function halfOfMemoryMb(runtime: AppsRuntime): number {
  return runtime === 'swarm' ? 0 : Math.floor(machineMemoryMb() / 2);
}
