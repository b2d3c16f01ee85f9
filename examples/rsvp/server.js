import { createServer } from 'node:http';
import { page, sorry } from './page.js';

// Page of an event. The variable EVENT contains the event as the API returns it. Without EVENT, the page requests the event
// from Simcha, with EVENTS_URL, EVENT_ID and EVENTS_TOKEN. A site can't reach the machine that it runs on, unless
// APPS_ALLOW_NETWORKS names the machine's address.
const { EVENT, EVENTS_URL, EVENT_ID, EVENTS_TOKEN, RSVP_URL, HOST, PORT } = process.env;
const FRESH_MS = 5_000;

let shown = { event: undefined, until: 0 };

async function readEvent() {
  if (EVENT) return JSON.parse(EVENT);
  if (Date.now() < shown.until) return shown.event;
  const response = await fetch(`${EVENTS_URL}/api/events/${EVENT_ID}`, {
    headers: { authorization: `Bearer ${EVENTS_TOKEN}` },
    signal: AbortSignal.timeout(3_000),
  });
  if (!response.ok) throw new Error(`the event API answered ${response.status}`);
  const { event } = await response.json();
  shown = { event, until: Date.now() + FRESH_MS };
  return event;
}

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (request.url !== '/') {
    response.writeHead(404).end(sorry);
    return;
  }
  try {
    response.end(page(await readEvent(), RSVP_URL));
  } catch (error) {
    console.error(`the event could not be read: ${error.message}`);
    // A status below 500 keeps the site healthy, because the event API may be unavailable only for a moment.
    response.writeHead(404).end(sorry);
  }
});

server.listen(Number(PORT), HOST, () => console.log(`invitations are out, port ${PORT}`));
process.on('SIGTERM', () => server.close());
