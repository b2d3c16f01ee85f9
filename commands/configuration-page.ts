import { writeFileSync } from 'node:fs';
import type { Setting } from '../server/kernel/setting-types.ts';
import { SETTING_GROUPS, type SettingGroup } from '../server/kernel/settings.ts';

// `npm run configuration` writes docs/configuration.md from server/kernel/settings.ts.

const FILE = new URL('../docs/configuration.md', import.meta.url);
const HEAD = `# Configuration

Settings are environment variables, or lines of a file named \`.env\` in the folder where the server starts. A wrong
value stops the start with one sentence that names the variable. Made by \`npm run configuration\` from
\`server/kernel/settings.ts\`.
`;

/** Text of docs/configuration.md. */
export function configurationPage(): string {
  return `${[HEAD, ...SETTING_GROUPS.map(groupSection)].join('\n')}`;
}

function groupSection({ title, about, settings }: SettingGroup): string {
  const rows = Object.values(settings).map(
    (one) => `| \`${one.name}\` | ${one.description} | ${shownDefault(one)} |`,
  );
  const head = ['| variable | meaning | default |', '| --- | --- | --- |'];
  return `## ${title}\n\n${about === undefined ? '' : `${about}\n\n`}${[...head, ...rows].join('\n')}\n`;
}

function shownDefault({ shownDefault, default: value }: Setting<unknown>): string {
  if (shownDefault !== undefined) return shownDefault;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return `\`${value}\``;
}

if (import.meta.main) writeFileSync(FILE, configurationPage());
