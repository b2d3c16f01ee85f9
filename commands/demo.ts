// npm run demo: events, guests and bookings; npm run demo -- apps: three deployed sites.
import { ConfigError } from '../server/kernel/config.ts';
import './mistakes.ts';

const [what] = process.argv.slice(2);
if (what !== undefined && what !== 'apps' && !what.startsWith('-')) {
  throw new ConfigError(`There is no demo "${what}": it takes nothing, or apps.`);
}
await import(what === 'apps' ? './demo/apps.ts' : './demo/events.ts');
