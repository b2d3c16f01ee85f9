import { Command, CommanderError } from 'commander';
import type { CommandOf } from './commands/begin.ts';
import { EXIT } from './exit-codes.ts';
import { printable } from './output/printable.ts';
import { terminalAt } from './output/terminal.ts';
import { VERSION } from './version.ts';

/** Commands with the same subject: what each does, and the module that adds their arguments, options and actions. */
interface Area {
  /** Heading in the help. */
  group: string;
  commands: Readonly<Record<string, string>>;
  load: () => Promise<(commandOf: CommandOf, wholeProgram: () => Promise<Command>) => void>;
}

// Modules are loaded when one of their commands runs, which makes the start of the process twice as fast.
const AREAS: readonly Area[] = [
  {
    group: 'Sites:',
    commands: {
      apps: 'List, create, show, change and delete applications.',
      link: 'Tell the commands in this folder which application is theirs.',
      plan: 'Show what a deployment would install, build and start, and why.',
      open: 'Print the address of the site, and open it in a browser.',
    },
    load: async () => (await import('./commands/applications.ts')).defineApplicationCommands,
  },
  {
    group: 'Sites:',
    commands: {
      deploy: 'Deploy the newest commit.',
      releases: 'List deployments, newest first.',
      rollback: 'Run an earlier release again, without a build.',
      promote: 'Take the release of a preview or of another application live, without a build.',
      cancel: 'Cancel a deployment; the live version keeps serving.',
      restart: 'Start the release again with the current variables.',
      stop: 'Stop the site, until it is started or deployed.',
      start: 'Start a stopped site.',
    },
    load: async () => (await import('./commands/deployments.ts')).defineDeploymentCommands,
  },
  {
    group: 'Sites:',
    commands: { logs: 'Print the output of the site, the requests to it, or the log of a deployment.' },
    load: async () => (await import('./commands/logs.ts')).defineLogCommands,
  },
  {
    group: 'Sites:',
    commands: { figures: 'Show requests, errors, durations and traffic, and what processes use.' },
    load: async () => (await import('./commands/figures.ts')).defineFigureCommands,
  },
  {
    group: 'Sites:',
    commands: { env: 'List, set, import and pull environment variables.' },
    load: async () => (await import('./commands/environment.ts')).defineEnvironmentCommands,
  },
  {
    group: 'Sites:',
    commands: {
      ps: 'List processes with their replicas, and jobs.',
      scale: 'Set how many replicas of a process run.',
    },
    load: async () => (await import('./commands/processes.ts')).defineProcessCommands,
  },
  {
    group: 'Sites:',
    commands: {
      run: 'Run a command in the current release, with its variables.',
      runs: 'List, read and cancel commands and jobs that ran.',
    },
    load: async () => (await import('./commands/runs.ts')).defineRunCommands,
  },
  {
    group: 'Sites:',
    commands: { domains: 'List, add, redirect, check and remove custom domains.' },
    load: async () => (await import('./commands/domains.ts')).defineDomainCommands,
  },
  {
    group: 'Sites:',
    commands: { rules: 'Show and change redirects, headers, a password and a maintenance page.' },
    load: async () => (await import('./commands/rules.ts')).defineRuleCommands,
  },
  {
    group: 'Sites:',
    commands: { volumes: 'List, add, back up, restore, empty and remove volumes.' },
    load: async () => (await import('./commands/volumes.ts')).defineVolumeCommands,
  },
  {
    group: 'Sites:',
    commands: { previews: 'List, create and remove previews of branches.' },
    load: async () => (await import('./commands/previews.ts')).definePreviewCommands,
  },
  {
    group: 'Sites:',
    commands: {
      'deploy-key': 'Print the key with which the server reads a private repository.',
      hook: 'Print the webhook with which each push is deployed.',
    },
    load: async () => (await import('./commands/hooks.ts')).defineHookCommands,
  },
  {
    group: 'Sites:',
    commands: {
      people: 'List, add and remove the people of an application, and set their roles.',
      history: 'List who changed what in an application, newest first.',
    },
    load: async () => (await import('./commands/people.ts')).definePeopleCommands,
  },
  {
    group: 'Events:',
    commands: {
      events: 'List, show, create, publish, cancel and duplicate events.',
      checklist: 'Print the approvals that a large event needs.',
      budget: 'Print what an event costs, by kind.',
    },
    load: async () => (await import('./commands/events.ts')).defineEventCommands,
  },
  {
    group: 'Events:',
    commands: {
      guests: 'List, import and export guests.',
      invite: 'Send guests an invitation or another message.',
    },
    load: async () => (await import('./commands/guests.ts')).defineGuestCommands,
  },
  {
    group: 'Account:',
    commands: {
      login: 'Sign in to a server.',
      logout: 'Sign out, and forget the token.',
      whoami: 'Print who is signed in, and to which server.',
      profiles: 'List the servers to which you signed in, or choose one.',
    },
    load: async () => (await import('./commands/account.ts')).defineAccountCommands,
  },
  {
    group: 'Account:',
    commands: { tokens: 'List, create and revoke tokens, for CI and other programs.' },
    load: async () => (await import('./commands/tokens.ts')).defineTokenCommands,
  },
  {
    group: 'Account:',
    commands: { webhooks: 'List, add, test and remove webhooks; read and replay their deliveries.' },
    load: async () => (await import('./commands/webhooks.ts')).defineWebhookCommands,
  },
  {
    group: 'Other:',
    commands: { mcp: 'Serve sites and events to an assistant, by the Model Context Protocol.' },
    load: async () => (await import('./commands/mcp.ts')).defineMcpCommand,
  },
  {
    group: 'Other:',
    commands: { completion: 'Print the script with which a shell completes commands.' },
    load: async () => (await import('./commands/completion.ts')).defineCompletionCommands,
  },
];

/** Runs the command that the arguments name; returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  endQuietlyWithReader();
  const [first, ...others] = args;
  try {
    const asksForHelp = first === undefined || first === 'help';
    await createProgram().parseAsync(asksForHelp ? [...others, '--help'] : args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    // Commander has printed its own errors, and the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return report(error);
  }
}

function createProgram(areasOfProgram: readonly Area[] = AREAS): Command {
  const program = new Command('simcha')
    .description('Sites, events and guests of a Simcha server, from a terminal.')
    .version(VERSION, '-v, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print what a command does, and its options.')
    .option('--json', 'Print the result as JSON, as the API has it.')
    .option('--profile <name>', 'Server to use, as simcha profiles lists it (also SIMCHA_PROFILE).')
    .configureHelp({ showGlobalOptions: true, ...helpStyle() })
    .configureOutput({ outputError: writeUsageError })
    .showHelpAfterError('Add --help for its options.')
    .exitOverride();
  const areas = new Map<string, Area>();
  for (const area of areasOfProgram)
    for (const [name, description] of Object.entries(area.commands)) {
      areas.set(name, area);
      program.command(name).description(description).helpGroup(area.group);
    }
  const completion = areas.get('completion');
  if (completion) {
    // The script of `completion` calls this command.
    program.command('complete', { hidden: true });
    areas.set('complete', completion);
  }
  program.addHelpCommand(
    new Command('help').argument('[command]').description('Print what a command does.').helpGroup('Other:'),
  );
  program.hook('preSubcommand', async (_program, command) => {
    const area = areas.get(command.name());
    if (area) await define(area, program);
  });
  return program;
}

const TOO_MANY = /^too many arguments for '.*'\. Expected .* got \d+: (.+)\.$/m;

/** Writes commander's error in the form of all others. A word too many is mostly a command that does not exist. */
function writeUsageError(text: string, write: (text: string) => void): void {
  const { colours } = terminalAt(process.stderr);
  const message = text.replace(/^error: /, '').replace(TOO_MANY, "unknown command or argument '$1'");
  write(`${colours.red('Error:')} ${message}`);
}

/** Adds the arguments, options and actions of an area's commands. */
async function define({ load }: Area, program: Command): Promise<void> {
  const commandOf: CommandOf = (name) => program.commands.find((one) => one.name() === name) as Command;
  (await load())(commandOf, wholeProgram);
}

/** Program with all its commands defined, for the shell's completion, which adds the command `completion` itself. */
async function wholeProgram(): Promise<Command> {
  const areas = AREAS.filter(({ commands }) => !('completion' in commands));
  const program = createProgram(areas);
  for (const area of areas) await define(area, program);
  return program;
}

function helpStyle() {
  const { colours } = terminalAt(process.stdout);
  return {
    styleTitle: (text: string) => colours.bold(text),
    styleCommandText: (text: string) => colours.cyan(text),
    styleSubcommandText: (text: string) => colours.cyan(text),
    styleOptionText: (text: string) => colours.cyan(text),
    styleArgumentText: (text: string) => colours.cyan(text),
  };
}

async function report(error: unknown): Promise<number> {
  const { failureOf } = await import('./errors.ts');
  const { message, hint, exitCode } = failureOf(error);
  const { colours, isTerminal } = terminalAt(process.stderr);
  const shown = (text: string) => (isTerminal ? printable(text) : text);
  process.stderr.write(`${colours.red('Error:')} ${shown(message)}\n`);
  if (hint !== undefined) process.stderr.write(`${shown(hint)}\n`);
  return exitCode;
}

/** A reader that closes the pipe, such as `head`, ends the command without an error. */
function endQuietlyWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
}
