import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

// Types of settings: each reads the text of an environment variable, and says what it expects.

export interface SettingOptions<T> {
  /** Meaning of the setting, as Markdown in docs/configuration.md. */
  description: string;
  /** Value that the setting has if the environment variable is not set; undefined if it has none. */
  default?: T;
  /** Description of the setting's default for the documentation, as Markdown, if the default is not a constant. */
  shownDefault?: string;
  /** True if the setting's value must not appear in error messages. */
  isSecret?: true;
}

/** Setting that an environment variable gives. `D` is the type of its default value. */
export interface Setting<T, D = T | undefined> extends Omit<SettingOptions<T>, 'default'> {
  name: string;
  /** Accepted values of the setting, as an error message names them. */
  expected: string;
  /** Parses the text of the setting's environment variable; undefined if the text is invalid. */
  read: (text: string) => T | undefined;
  default: D;
}

/** Options of a setting: `Without` has no default value, `With` has one. */
type Without<T> = SettingOptions<T> & { default?: never };
type With<T> = SettingOptions<T> & { default: T };

type Read<T> = (text: string) => T | undefined;

/** Makes a setting whose environment variable is read by a function of its own. */
export function setting<T>(name: string, expected: string, read: Read<T>, options: With<T>): Setting<T, T>;
export function setting<T>(
  name: string,
  expected: string,
  read: Read<T>,
  options: Without<T>,
): Setting<T, undefined>;
export function setting<T>(
  name: string,
  expected: string,
  read: Read<T>,
  options: SettingOptions<T>,
): Setting<T>;
export function setting<T>(
  name: string,
  expected: string,
  read: Read<T>,
  options: SettingOptions<T>,
): Setting<T> {
  return { name, expected, read, ...options, default: options.default };
}

/** Setting whose value is a whole number within a range. */
export function integer(
  name: string,
  from: number,
  to: number,
  options: With<number>,
): Setting<number, number>;
export function integer(
  name: string,
  from: number,
  to: number,
  options: Without<number>,
): Setting<number, undefined>;
export function integer(name: string, from: number, to: number, options: SettingOptions<number>) {
  return setting(
    name,
    `a whole number from ${from} to ${to}`,
    (text) => readInteger(text, from, to),
    options,
  );
}

/** Setting whose value is `true` or `false`. */
export function flag(name: string, options: With<boolean>): Setting<boolean, boolean> {
  const read = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined);
  return setting(name, 'true or false', read, options);
}

/** Setting whose value is one of a few words. */
export function choice<const T extends string>(
  name: string,
  words: readonly T[],
  options: With<NoInfer<T>>,
): Setting<T, T>;
export function choice<const T extends string>(
  name: string,
  words: readonly T[],
  options: Without<NoInfer<T>>,
): Setting<T, undefined>;
export function choice<const T extends string>(
  name: string,
  words: readonly T[],
  options: SettingOptions<NoInfer<T>>,
) {
  const expected = words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : `${words[0]}`;
  return setting<T>(name, expected, (text) => words.find((one) => one === text), options);
}

/** Setting whose value is a text; `expected` describes it in error messages. */
export function text(name: string, expected: string, options: With<string>): Setting<string, string>;
export function text(name: string, expected: string, options: Without<string>): Setting<string, undefined>;
export function text(name: string, expected: string, options: SettingOptions<string>) {
  return setting(name, expected, (value) => value, options);
}

/** Setting whose value is a secret text that is too long to be guessed. */
export function secret(
  name: string,
  leastLength: number,
  options: Without<string>,
): Setting<string, undefined> {
  const read = (value: string) => (value.length >= leastLength ? value : undefined);
  return setting(name, `at least ${leastLength} characters`, read, { ...options, isSecret: true });
}

/** Setting whose value is a comma-separated list of texts, each of which must satisfy `fits`. */
export function list(
  name: string,
  expected: string,
  fits: (item: string) => boolean,
  options: With<string[]>,
): Setting<string[], string[]> {
  return setting(name, expected, (value) => readList(value, fits), options);
}

/** Setting whose value is a comma-separated list of allowed words. */
export function choices<const T extends string>(
  name: string,
  words: readonly T[],
  options: With<NoInfer<T>[]>,
): Setting<T[], T[]> {
  const isWord = (item: string) => words.some((one) => one === item);
  const read = (value: string) => readList(value, isWord) as T[] | undefined;
  return setting<T[]>(name, `some of ${words.join(', ')}`, read, options);
}

export function readList(text: string, fits: (item: string) => boolean): string[] | undefined {
  const items = text.split(',').map((item) => item.trim());
  return items.every(fits) ? items : undefined;
}

export function readInteger(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** Reads a number from 0 to 1. */
export function readShare(text: string): number | undefined {
  return /^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(text) ? Number(text) : undefined;
}

/** Reads a URL that has one of the given protocols, such as `https:`. */
export function readUrl(text: string, protocols: readonly string[]): string | undefined {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined;
}

/** Reads an origin (protocol, host and port). It loses trailing slashes, so that it can be put in front of paths. */
export function readOrigin(text: string, protocols: readonly string[]): string | undefined {
  const address = readUrl(text, protocols)?.replace(/\/+$/, '');
  if (address === undefined) return undefined;
  const { pathname, search, hash } = new URL(address);
  return pathname === '/' && !search && !hash ? address : undefined;
}

/** Reads a host name without a port, in lower case. */
export function readHostName(text: string): string | undefined {
  return /^[a-z0-9]([a-z0-9-]|\.(?=[a-z0-9])){0,252}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** True for the text of an IP address, or of a range of IP addresses in CIDR notation. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || readInteger(bits, 0, family === 4 ? 32 : 128) !== undefined;
}

/** True for the text of an IP address with or without a port: `9.9.9.9:53`, `[2620:fe::fe]:53`. */
export function isAddressAndPort(text: string): boolean {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  if (port !== undefined && readInteger(port, 1, 65_535) === undefined) return false;
  return isIP(six ?? '') === 6 || isIP(four ?? '') === 4 || isIP(text) === 6;
}

/** True for the text of an origin as browsers send it, or `*`. */
export function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}

/** True for the text of a mail address, or of a name and a mail address in angle brackets. */
export function isMailbox(text: string): boolean {
  return /^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(text);
}

/** True if the file at a path can be read and contains a PEM certificate. */
export function holdsCertificates(path: string): boolean {
  try {
    return readFileSync(path, 'latin1').includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false;
  }
}

/** Private RSA key as PEM, given as such or as the path of its file. Shorter keys are not valid for DKIM (RFC 8301). */
export function readRsaKey(text: string): string | undefined {
  try {
    const isPem = text.startsWith('-----BEGIN ');
    const key = createPrivateKey(isPem ? text.replaceAll('\\n', '\n') : readFileSync(text, 'latin1'));
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType !== 'rsa' || modulusLength < 1_024) return undefined;
    return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    return undefined;
  }
}
