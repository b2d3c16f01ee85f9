import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';

// Reference server for bench/ratchet.ts: node:http with pg, prepared statements and plain tables. It does not change,
// so its processor time is a measure for the server's. Arguments: <port> <database>.

const [port = '', connectionString = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });

const FIELDS = `id, organizer_id, status, created_at, updated_at, title, event_date, venue_name, venue_address,
  description, max_guests, venue_capacity, kashrut_level, language_pref, budget::float8 as budget, version`;
const COUNTS = `(select json_build_object('confirmed', count(*) filter (where rsvp_status = 'confirmed'),
  'pending', count(*) filter (where rsvp_status = 'pending'),
  'declined', count(*) filter (where rsvp_status = 'declined'))
  from reference.guests where event_id = events.id) as counts`;

const STATEMENTS = {
  read: `select ${FIELDS}, ${COUNTS} from reference.events where id = $1 and organizer_id = $2`,
  list: `select ${FIELDS}, ${COUNTS}, count(*) over () as total from reference.events where organizer_id = $1
    order by event_date, id limit 20`,
  create: `insert into reference.events (organizer_id, title, event_date, venue_name, max_guests)
    values ($1, $2, $3, $4, $5) returning ${FIELDS}`,
  lock: 'select id from reference.events where id = $1 for update',
  update: `update reference.events set description = $2, venue_capacity = $3, updated_at = now(), version = version + 1
    where id = $1 returning ${FIELDS}, ${COUNTS}`,
  guest: `select guests.*, events.title from reference.guests join reference.events on events.id = guests.event_id
    where guests.id = $1`,
  answer: `update reference.guests set rsvp_status = $2, message = $3, updated_at = now() where id = $1 returning *`,
  note: 'insert into reference.history (subject_id, at, action, changes) values ($1, now(), $2, $3)',
} as const;

type Send = (name: keyof typeof STATEMENTS, values: unknown[]) => Promise<pg.QueryResultRow[]>;

/**
 * Makes a function that runs one of the prepared statements: on a single connection, or on any connection of a pool.
 */
const sendOn =
  (client: pg.Pool | pg.PoolClient): Send =>
  async (name, values) =>
    (await client.query({ name, text: STATEMENTS[name], values })).rows;

async function inTransaction<T>(work: (send: Send) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  await client.query('begin');
  const done = await work(sendOn(client));
  await client.query('commit');
  client.release();
  return done;
}

async function answerTo(method: string, path: string, body: Record<string, unknown>): Promise<unknown> {
  const send = sendOn(pool);
  const [, , kind, id] = path.split(/[/?]/);
  if (kind === 'rsvp') {
    const [guest] = await send('guest', [id]);
    return inTransaction(async (each) => {
      await each('lock', [guest?.event_id]);
      await each('note', [id, 'answered', JSON.stringify({ message: body.message })]);
      return (await each('answer', [id, body.rsvp_status, body.message]))[0];
    });
  }
  if (method === 'POST')
    return (
      await send('create', ['bench', body.title, body.event_date, body.venue_name, body.max_guests])
    )[0];
  if (method === 'PUT')
    return inTransaction(async (each) => {
      await each('lock', [id]);
      await each('note', [id, 'changed', JSON.stringify(body)]);
      return (await each('update', [id, body.description, body.venue_capacity]))[0];
    });
  return path.includes('?') ? send('list', ['bench']) : (await send('read', [id, 'bench']))[0];
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
}

await pool.query('select 1');
createServer(async (request, response) => {
  try {
    const answer = await answerTo(request.method ?? '', request.url ?? '', await bodyOf(request));
    const text = JSON.stringify(answer);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(Number(port), '127.0.0.1');
