import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { readRules, type SiteRules, type SiteRulesChanges, updateRules } from 'simcha-client';
import { usageError } from '../errors.ts';
import type { Output } from '../output/output.ts';
import { readStdin } from '../prompts.ts';
import { aboutApplication, beginWithApplication, type CommandOf } from './begin.ts';

const SCOPES = ['off', 'production', 'previews', 'all'] as const;
type Scope = (typeof SCOPES)[number];

interface Changes {
  redirects?: string;
  headers?: string;
  maintenance?: string;
  protection?: string;
  username?: string;
  passwordStdin?: boolean;
}

export function defineRuleCommands(commandOf: CommandOf): void {
  const rules = commandOf('rules');
  aboutApplication(rules.command('show', { isDefault: true }))
    .description('Show what visitors meet before the site: redirects, headers, password, maintenance page.')
    .action(async (_options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      const { data } = await readRules({ client, path });
      output.result(data, (shown) => describe(shown, output));
    });
  aboutApplication(rules.command('set'))
    .description('Change them; they take effect at once.')
    .option('--redirects <file>', 'File in the format of _redirects.')
    .option('--headers <file>', 'File in the format of _headers.')
    .option('--maintenance <where>', `Sites with a maintenance page: ${SCOPES.join(', ')}.`)
    .option('--protection <where>', `Sites with a password: ${SCOPES.join(', ')}.`)
    .option('--username <name>', 'Name that visitors enter.')
    .option('--password-stdin', 'Read the password that visitors enter from stdin.')
    .action(async (_options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<Changes>(command);
      const body = await changesOf(options);
      const { data } = await updateRules({ client, path, body });
      output.result(data, (shown) => describe(shown, output));
    });
}

async function changesOf(options: Changes): Promise<SiteRulesChanges> {
  const { redirects, headers, maintenance, protection, username, passwordStdin } = options;
  const changes = {
    ...(redirects !== undefined && { redirects: await readFile(redirects, 'utf8') }),
    ...(headers !== undefined && { headers: await readFile(headers, 'utf8') }),
    ...(maintenance !== undefined && { maintenance: scopeOf(maintenance, '--maintenance') }),
    ...(protection !== undefined && { protection: scopeOf(protection, '--protection') }),
    ...(username !== undefined && { username }),
    ...(passwordStdin && { password: await readStdin() }),
  };
  if (Object.keys(changes).length === 0)
    throw usageError('There is nothing to change.', 'The options: simcha rules set --help');
  return changes;
}

function scopeOf(text: string, option: string): Scope {
  const scope = SCOPES.find((one) => one === text);
  if (!scope) throw usageError(`${option} ${text} is none of ${SCOPES.join(', ')}.`, `Pass ${option} all.`);
  return scope;
}

function describe(rules: SiteRules, output: Output): string {
  const { redirects, headers, maintenance, protection, username } = rules;
  const facts = output.pairs([
    ['maintenance', maintenance],
    ['password', protection === 'off' ? 'off' : `${protection}, for ${username ?? ''}`],
  ]);
  const texts = [
    ['redirects', redirects],
    ['headers', headers],
  ].flatMap(([name, text]) => (text ? ['', `${name}:`, text] : []));
  return [facts, ...texts].join('\n');
}
