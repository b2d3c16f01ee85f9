import type { Command } from 'commander';
import {
  type Application,
  addDomain,
  checkDomain,
  type Domain,
  idempotencyKey,
  isRegisteredDomain,
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
      const { options, output, client, path, application } = await beginWithApplication<{
        redirectTo?: string;
      }>(command);
      const body = { hostname, redirect_to: options.redirectTo ?? null };
      const { data } = await addDomain({ client, path, headers: idempotencyKey(), body });
      report(data, application, output);
    });
  aboutApplication(domains.command('redirect'))
    .description('Redirect a domain to another one of the application, or with --off no longer.')
    .argument('<hostname>')
    .argument('[to]')
    .option('--off', 'Show the site at this domain again.')
    .action(async (hostname: string, to: string | undefined, _options, command: Command) => {
      const { options, output, client, path, application } = await beginWithApplication<{ off?: boolean }>(
        command,
      );
      if ((to === undefined) === !options.off)
        command.error('error: name the domain to redirect to, or --off');
      const body = { redirect_to: to ?? null };
      const { data } = await updateDomain({ client, path: { ...path, hostname }, body });
      report(data, application, output);
    });
  aboutApplication(domains.command('check'))
    .description('Look up the records of a domain now.')
    .argument('<hostname>')
    .action(async (hostname: string, _options, command: Command) => {
      const { output, client, path, application } = await beginWithApplication(command);
      const { data } = await checkDomain({ client, path: { ...path, hostname }, headers: idempotencyKey() });
      report(data, application, output);
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

const SET_ONE = 'Set one of these records at your DNS provider; it is looked up by itself.';
const SET_BOTH =
  'Set both records at your DNS provider: TXT proves the domain, ALIAS (or ANAME) leads visitors to it. A provider without ALIAS takes an A or AAAA record with the IP address of the server.';

/** Prints the state of a domain, and while it is not proved, the records to set with their values. */
function report(domain: Domain, { domain: address }: Application, output: Output): void {
  const { hostname, status, redirect_to: target, problem } = domain;
  const state = `${hostname}: ${output.status(status)}`;
  if (status === 'proved') {
    output.result(domain, () =>
      target ? `${state}, redirects to ${target}` : `${state}, at ${domain.address}`,
    );
    return;
  }
  const isMissing = problem === null || problem === 'record_missing';
  const whatToSet = isRegisteredDomain(hostname) ? SET_BOTH : SET_ONE;
  const advice = isMissing && isRegisteredDomain(hostname) ? whatToSet : (domain.advice ?? whatToSet);
  const records = output.table(
    [
      { heading: 'type', text: ({ type }) => type },
      { heading: 'name', text: ({ name }) => name },
      { heading: 'value', text: ({ value }) => value },
    ],
    recordsToSet(domain, new URL(address).hostname),
  );
  if (!output.stdout.isTerminal) output.note(advice);
  const shown = output.stdout.isTerminal ? [output.wrap(advice), ''] : [];
  output.result(domain, () => [state, ...shown, records].join('\n'));
}

/**
 * Records that can be set for a domain. A registered domain can't have a CNAME: an ALIAS leads its visitors to the
 * host name that the server assigned to the site (`ours`).
 */
function recordsToSet(
  { hostname, records }: Domain,
  ours: string,
): readonly { type: string; name: string; value: string }[] {
  if (!isRegisteredDomain(hostname)) return records;
  return [...records.filter(({ type }) => type !== 'CNAME'), { type: 'ALIAS', name: hostname, value: ours }];
}
