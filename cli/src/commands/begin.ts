import type { Command } from 'commander';
import { findApplication, siteParameters } from '../applications.ts';
import { Output } from '../output/output.ts';
import { openServer, type Server } from '../server.ts';

/** Finds a command by its name in the program's table of commands. */
export type CommandOf = (name: string) => Command;

/** Options that commands of a site share. */
export interface SiteOptions {
  app?: string;
  preview?: string;
}

export interface Begun<O> {
  options: O & { json?: boolean; profile?: string };
  output: Output;
}

/** Reads the options of a command that may do without a server. */
export function beginAlone<O>(command: Command): Begun<O> {
  const options = command.optsWithGlobals<Begun<O>['options']>();
  return { options, output: new Output(options) };
}

/** Reads the options of a command and connects to its server. */
export async function begin<O = object>(command: Command): Promise<Begun<O> & { server: Server }> {
  const begun = beginAlone<O>(command);
  return { ...begun, server: await openServer(begun.output, begun.options) };
}

/** Connects to the server for a command about one application, and finds that application. */
export async function beginWithApplication<O = object>(command: Command, named?: string) {
  const begun = await begin<O & SiteOptions>(command);
  const application = await findApplication(begun.server, named ?? begun.options.app);
  const { preview } = begun.options;
  return { ...begun, application, ...siteParameters(application, preview), client: begun.server.client };
}

/** Adds the option that names the application. */
export function aboutApplication(command: Command): Command {
  return command.option('-a, --app <name>', 'Application, by name or uuid; otherwise that of .simcha.json.');
}

/** Adds the options that name an application or one of its previews. */
export function aboutSite(command: Command): Command {
  return aboutApplication(command).option(
    '--preview <name>',
    'Preview of the application, rather than production.',
  );
}
