import { hostname } from 'node:os';
import type { Command } from 'commander';
import {
  type AccessToken,
  askToSignIn,
  createToken,
  idempotencyKey,
  readCurrentToken,
  readMe,
  revokeCurrentToken,
  SimchaError,
  signIn,
} from 'simcha-client';
import {
  chooseProfile,
  nameOfProfile,
  readProfiles,
  removeProfile,
  saveProfile,
} from '../config/profiles.ts';
import { CommandError, usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { canAsk } from '../output/terminal.ts';
import { askText, readStdin } from '../prompts.ts';
import { connectTo, openServer, originOf, type Server } from '../server.ts';
import { beginAlone, type CommandOf } from './begin.ts';
import { logInByDevice } from './device-login.ts';

interface LoginOptions {
  email?: string;
  device?: boolean;
  stdin?: boolean;
  invitation?: string;
}

export function defineAccountCommands(commandOf: CommandOf): void {
  commandOf('login')
    .argument('[address]', 'address of the server; otherwise that of the profile')
    .option('--device', 'Print an address and a code to confirm in a browser, also without a terminal.')
    .option('--email <address>', 'Sign in with a code that is mailed to this address.')
    .option('--invitation <text>', 'Invitation of the operator, if new users need one.')
    .option(
      '--stdin',
      'Store the token that is read from stdin; with --email, read the mailed code from there.',
    )
    .action(async (address: string | undefined, _options, command: Command) => logIn(address, command));
  commandOf('logout').action(async (_options, command: Command) => logOut(command));
  commandOf('whoami').action(async (_options, command: Command) => printUser(command));
  commandOf('profiles')
    .argument('[name]', 'profile that commands use from now on')
    .action(async (name: string | undefined, _options, command: Command) => printProfiles(name, command));
}

async function logIn(address: string | undefined, command: Command): Promise<void> {
  const { options, output } = beginAlone<LoginOptions>(command);
  const url = await addressOf(address, options.profile);
  const signedIn = await signInBy(options, url, output);
  const me = await whoIs(url, signedIn.token, output);
  const name = options.profile ?? nameOfProfile(url);
  await saveProfile(name, { url, email: me.email, ...signedIn });
  output.result({ profile: name, url, user: me }, () => `Signed in to ${url} as ${me.email}.`);
  if (!me.verified) output.hint('This address is not verified yet: sign in with simcha login --email.');
}

/** Signs in with a token from stdin, with a mailed code or in the browser; returns the token. */
async function signInBy(options: LoginOptions, url: string, output: Output) {
  if (options.email !== undefined) return signInByMail(options.email, url, options, output);
  if (options.stdin) return { token: await readStdin() };
  if (!options.device && !output.stderr.isTerminal)
    throw usageError(
      'Signing in needs a browser or a mailed code.',
      'Pass --email <address>, --stdin with a token, or --device. In CI set SIMCHA_URL and SIMCHA_TOKEN instead.',
    );
  const { token, access_token } = await logInByDevice(connectTo(url, output), clientName(), output);
  return { token, expires_at: access_token.expires_at };
}

async function addressOf(address: string | undefined, named: string | undefined): Promise<string> {
  if (address !== undefined) return originOf(address);
  if (process.env.SIMCHA_URL) return originOf(process.env.SIMCHA_URL);
  const { current, profiles } = await readProfiles();
  const known = profiles[named ?? process.env.SIMCHA_PROFILE ?? current ?? ''];
  if (known) return known.url;
  return originOf(await askText('Address of the server:', '<address>'));
}

/** How often a mistyped code is asked for again, on a terminal. */
const CODE_TRIES = 3;

/**
 * Signs in by a mailed code, which gives a token for some hours, and with it makes a longer-lived token for this
 * computer.
 */
async function signInByMail(
  email: string,
  url: string,
  { stdin: isFromStdin, invitation }: LoginOptions,
  output: Output,
) {
  if (!isFromStdin && !canAsk())
    throw usageError(
      'Signing in needs the code that will be mailed.',
      'Without a terminal, pass --stdin and write the code to stdin once it is there.',
    );
  const client = connectTo(url, output);
  const { data: asked } = await askToSignIn({ client, body: { email } });
  output.note(`A code was mailed to ${email}.`);
  const signInWith = async (code: string) =>
    (
      await signIn({
        client,
        body: { email, code, request_id: asked.request_id, ...(invitation !== undefined && { invitation }) },
      })
    ).data;
  const { token } = await (isFromStdin ? signInWith(await codeOfStdin()) : askForCode(signInWith, output));
  const { data: made } = await createToken({
    client: connectTo(url, output, token),
    headers: idempotencyKey(),
    body: { name: clientName() },
  });
  return { token: made.token, expires_at: made.expires_at };
}

/** Asks for the mailed code, and again after a wrong one. */
async function askForCode<T>(signInWith: (code: string) => Promise<T>, output: Output): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const code = await askText('The code:', '--stdin');
    try {
      return await signInWith(code);
    } catch (error) {
      const isWrong = error instanceof SimchaError && error.code === 'wrong_code';
      if (!isWrong || tries === CODE_TRIES) throw error;
      output.note('This code is wrong or has expired.');
    }
  }
}

async function codeOfStdin(): Promise<string> {
  const code = (await readStdin()).trim();
  if (code === '') throw usageError('There is no code on stdin.', 'Sign in again: another code is mailed.');
  return code;
}

async function whoIs(url: string, token: string, output: Output) {
  if (!/^[\w.-]{8,}$/.test(token)) throw usageError('That is no token.');
  const client = connectTo(url, output, token);
  const { data } = await readMe({ client }).catch((error) => {
    if (!(error instanceof SimchaError && error.status === 401)) throw error;
    throw new CommandError(`${url} does not accept this token.`, { exitCode: EXIT.notSignedIn });
  });
  return data;
}

async function logOut(command: Command): Promise<void> {
  const { options, output } = beginAlone(command);
  const { current, profiles } = await readProfiles();
  const name = options.profile ?? process.env.SIMCHA_PROFILE ?? current;
  const profile = name === undefined ? undefined : profiles[name];
  if (name === undefined || !profile)
    throw new CommandError('Nobody is signed in.', { exitCode: EXIT.notSignedIn });
  if (profile.token !== undefined) await revoke(profile.url, profile.token, output);
  await removeProfile(name);
  output.note(`Signed out of ${profile.url}.`);
}

/** Revokes a token. Signing out succeeds even if the server is away or does not know the token any more. */
async function revoke(url: string, token: string, output: Output): Promise<void> {
  const client = connectTo(url, output, token);
  await revokeCurrentToken({ client }).catch((error) => {
    if (error instanceof SimchaError && [401, 404].includes(error.status)) return;
    output.note(`The token was not revoked: ${error.message} Revoke it later: simcha tokens revoke`);
  });
}

/** Record of the token that a client uses; undefined for the token of an outside identity provider. */
async function currentToken({ client }: Server): Promise<AccessToken | undefined> {
  return readCurrentToken({ client }).then(
    ({ data }) => data,
    (error) => {
      if (error instanceof SimchaError && error.status === 404) return undefined;
      throw error;
    },
  );
}

async function printUser(command: Command): Promise<void> {
  const { options, output } = beginAlone(command);
  const server = await openServer(output, options);
  const { data: user } = await readMe({ client: server.client });
  const token = await currentToken(server);
  output.result({ ...user, url: server.url, profile: server.profile ?? null, token: token ?? null }, () =>
    output.pairs([
      ['user', user.email],
      ['verified', user.verified ? 'yes' : 'no'],
      ['server', server.url],
      ['access', server.profile === undefined ? 'SIMCHA_TOKEN' : `profile ${server.profile}`],
      ['token', token && `${token.name} (${token.scopes.join(', ')})`],
      ['ends', token?.expires_at ?? undefined],
      ['application', server.project?.name],
    ]),
  );
}

async function printProfiles(chosen: string | undefined, command: Command): Promise<void> {
  const { output } = beginAlone(command);
  const stored = await readProfiles();
  if (chosen !== undefined) {
    if (!stored.profiles[chosen]) throw usageError(`There is no profile "${chosen}".`);
    await chooseProfile(chosen);
    output.note(`Commands use ${chosen} from now on.`);
    return;
  }
  const rows = Object.entries(stored.profiles).map(([name, { url, email, expires_at }]) => ({
    name,
    url,
    email: email ?? null,
    expires_at: expires_at ?? null,
    current: name === stored.current,
  }));
  output.result({ profiles: rows }, () =>
    rows.length === 0
      ? ''
      : output.table(
          [
            { heading: '', text: ({ current }) => (current ? '*' : '') },
            { heading: 'name', text: ({ name }) => name },
            { heading: 'server', text: ({ url }) => url, canShrink: true },
            { heading: 'user', text: ({ email }) => email ?? '', canShrink: true },
          ],
          rows,
        ),
  );
  if (rows.length === 0) output.hint('You are signed in nowhere: simcha login <address>');
}

/** Name under which the server lists this computer's token. */
const clientName = () => `simcha on ${hostname()}`;
