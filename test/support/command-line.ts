import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

const COMMAND = new URL('../../cli/bin/simcha.js', import.meta.url).pathname;

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  /** Input that the test types into the command, or a function that makes the input while the command waits for it. */
  input?: string | (() => Promise<string>);
  env?: Record<string, string>;
}

/** Run of the command `simcha` that has not ended yet. */
export interface RunningCommand {
  child: ChildProcess;
  output(): string;
  /** Waits until the command's output contains this text. */
  shows(text: string | RegExp): Promise<void>;
  ended: Promise<CommandResult>;
}

/**
 * Prepares the command `simcha` as its users have it: the bundled file, in a folder and with a configuration of its
 * own.
 */
export async function commandLine(standing: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'simcha-cli-'));
  const folder = join(home, 'checkout');
  await mkdir(folder);
  const environment = (env: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    ...standing,
    ...env,
  });

  function start(args: readonly string[], { env }: CommandOptions = {}): RunningCommand {
    return running(spawn(process.execPath, [COMMAND, ...args], { cwd: folder, env: environment(env) }));
  }

  async function run(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    const { child, ended } = start(args, options);
    const { input = '' } = options;
    child.stdin?.end(typeof input === 'string' ? input : await input());
    return ended;
  }

  /** Starts the command on a terminal of this width. What is typed goes to its stdin; all output is in stdout. */
  function startOnTerminal(
    args: readonly string[],
    { columns = 80, env = {} as Record<string, string> } = {},
  ) {
    const line = ['exec', process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(' ');
    const script = `stty cols ${columns} rows 40; ${line.replace("'exec'", 'exec')}`;
    const terminal = { ...environment(env), TERM: 'xterm-256color', SHELL: '/bin/sh' };
    return running(spawn('script', ['-qefc', script, '/dev/null'], { cwd: folder, env: terminal }));
  }

  async function onTerminal(args: readonly string[], options: Parameters<typeof startOnTerminal>[1] = {}) {
    return startOnTerminal(args, options).ended;
  }

  return {
    home,
    folder,
    /** Process of the command, for a program that starts it itself. */
    processOf: (args: readonly string[], env?: Record<string, string>) => ({
      command: process.execPath,
      args: [COMMAND, ...args],
      cwd: folder,
      env: environment(env),
    }),
    start,
    run,
    startOnTerminal,
    onTerminal,
    /** Runs a command that succeeds; returns its output. */
    async ok(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(args);
      if (code !== 0) throw new Error(`simcha ${args.join(' ')} exited with ${code}:\n${stdout}${stderr}`);
      return stdout;
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

export type CommandLine = Awaited<ReturnType<typeof commandLine>>;

function running(child: ChildProcess): RunningCommand {
  const printed = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    printed.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    printed.stderr += text;
  });
  // A command that ended no longer reads what the test types.
  child.stdin?.on('error', () => {});
  const output = () => printed.stdout + printed.stderr;
  const ended = new Promise<CommandResult>((resolve) =>
    child.on('close', (code) => resolve({ code, ...printed })),
  );
  const shows = async (text: string | RegExp) => {
    await until(async () => (typeof text === 'string' ? output().includes(text) : text.test(output())));
  };
  return { child, output, shows, ended };
}
