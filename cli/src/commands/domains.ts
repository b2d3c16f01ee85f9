import type { Command } from 'commander';
import {
  addDomain,
  checkDomain,
  type Domain,
  idempotencyKey,
  listDomains,
  removeDomain,
  updateDomain,
} from 'simcha-client';
import type { Output } from '../output/output.ts';
import { timeAgo } from '../output/time.ts';
import { aboutApplication, beginWithApplication, type CommandOf } from './begin.ts';

export function defineDomainCommands(commandOf: CommandOf): void {
  const domains = commandOf('domains');
  aboutApplication(domains.command('list', { isDefault: true }))
    .description('List the custom domains of an application.')
    .action(async (_options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      const { data } = await listDomains({ client, path });
      output.result(data, (list) => tableOfDomains(list.domains, output));
      if (data.domains.length === 0) output.hint('There is none yet: simcha domains add www.example.com');
    });
  aboutApplication(domains.command('add'))
    .description('Add a domain, and print the DNS record that proves it.')
    .argument('<hostname>')
    .option('--redirect-to <hostname>', 'Another domain of the application, to which visitors are sent.')
    .action(async (hostname: string, _options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<{ redirectTo?: string }>(command);
      const body = { hostname, redirect_to: options.redirectTo ?? null };
      const { data } = await addDomain({ client, path, headers: idempotencyKey(), body });
      output.result(data, (domain) => describe(domain, output));
    });
  aboutApplication(domains.command('redirect'))
    .description('Redirect a domain to another one of the application, or with --off no longer.')
    .argument('<hostname>')
    .argument('[to]')
    .option('--off', 'Show the site at this domain again.')
    .action(async (hostname: string, to: string | undefined, _options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<{ off?: boolean }>(command);
      if ((to === undefined) === !options.off)
        command.error('error: name the domain to redirect to, or --off');
      const body = { redirect_to: to ?? null };
      const { data } = await updateDomain({ client, path: { ...path, hostname }, body });
      output.result(data, (domain) => describe(domain, output));
    });
  aboutApplication(domains.command('check'))
    .description('Look up the records of a domain now.')
    .argument('<hostname>')
    .action(async (hostname: string, _options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      const { data } = await checkDomain({ client, path: { ...path, hostname }, headers: idempotencyKey() });
      output.result(data, (domain) => describe(domain, output));
    });
  aboutApplication(domains.command('remove'))
    .description('Remove a domain; it is no longer served, at once.')
    .argument('<hostname>')
    .action(async (hostname: string, _options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      await removeDomain({ client, path: { ...path, hostname } });
      output.note(`Removed ${hostname}.`);
    });
}

function tableOfDomains(domains: readonly Domain[], output: Output): string {
  return output.table(
    [
      { heading: 'domain', text: ({ hostname }) => hostname, canShrink: true },
      {
        heading: 'status',
        text: ({ status }) => status,
        style: (text, { status }) => output.status(text, status),
      },
      { heading: 'redirects to', text: ({ redirect_to }) => redirect_to ?? '', canShrink: true },
      { heading: 'checked', text: ({ checked_at }) => output.time(checked_at, timeAgo) },
      { heading: 'advice', text: ({ advice }) => advice ?? '', canShrink: true },
    ],
    domains,
  );
}

/** Describes a domain: its state, and while it is not proved, the records to set, of which one is enough. */
function describe(
  { hostname, status, address, records, advice, redirect_to: target }: Domain,
  output: Output,
): string {
  const state = `${hostname}: ${output.status(status)}`;
  if (status === 'proved') return target ? `${state}, redirects to ${target}` : `${state}, at ${address}`;
  const table = output.table(
    [
      { heading: 'type', text: ({ type }) => type },
      { heading: 'name', text: ({ name }) => name },
      { heading: 'value', text: ({ value }) => value },
    ],
    records,
  );
  const advised = advice ?? 'Set one of these records at your DNS provider; it is looked up by itself.';
  return [state, ...(output.stdout.isTerminal ? [output.wrap(advised), ''] : []), table].join('\n');
}
