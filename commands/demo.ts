// npm run demo: events, guests and bookings; npm run demo -- apps: three deployed sites.
await import(process.argv[2] === 'apps' ? './demo-apps.ts' : './demo-events.ts');
