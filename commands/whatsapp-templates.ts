import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { allTemplates } from '../server/planning/rounds/templates.ts';

const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
if (values.help) {
  process.stdout.write(
    `npm run whatsapp-templates
Prints the templates that WhatsApp rounds are sent by, each a line of JSON as Meta's API takes it, with links to this
PUBLIC_URL. docs/texts.md says how to hand them in.
`,
  );
  process.exit(0);
}
const { publicUrl } = readConfig(loadEnvironment());
for (const template of allTemplates(publicUrl)) process.stdout.write(`${JSON.stringify(template)}\n`);
