// npm run demo: events, guests and bookings; npm run demo -- apps: three deployed sites.
import './mistakes.ts';

await import(process.argv[2] === 'apps' ? './demo-apps.ts' : './demo-events.ts');
