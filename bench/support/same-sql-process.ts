import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import pg from 'pg';
import { newId } from '../../server/kernel/identifiers.ts';

// Server for bench/events.ts: node:http with pg, which sends the statements that the server's store sends, prepared, and
// answers with the rows as JSON. It checks nothing, so it is the lower limit of what a request costs.
// Arguments: <port> <database> <file with the statements>.

/** Statements of one kind of request. The parameters that are the id of the recorded event stand for the requested one. */
export interface RecordedRequest {
  id: string;
  /** Several of them, with `begin` and `commit`, are a transaction. */
  statements: { text: string; values: readonly unknown[] }[];
}

const [port, connectionString, file = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
const recorded: Record<string, RecordedRequest> = JSON.parse(readFileSync(file, 'utf8'));

/** Sends the statements for an event; returns the rows of the last one that has rows. */
async function send(kind: string, id: string): Promise<unknown[]> {
  const request = recorded[kind];
  if (!request) throw new Error(`${kind} was not recorded`);
  const client = await pool.connect();
  let rows: unknown[] = [];
  for (const [place, { text, values }] of request.statements.entries()) {
    const given = values.map((value) => (value === request.id ? id : value));
    const result = await client.query({ name: `${kind} ${place}`, text, values: given });
    if (result.rows.length > 0) rows = result.rows;
  }
  client.release();
  return rows;
}

function rowsFor(method: string, url: string): Promise<unknown[]> {
  if (method === 'POST') return send('create', newId());
  const id = url.split('/')[3] ?? '';
  if (method === 'PUT') return send('update', id);
  return id ? send('read', id) : send('list', '');
}

await pool.query('select 1');
createServer(async (request, response) => {
  try {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body) JSON.parse(body);
    const text = JSON.stringify(await rowsFor(request.method ?? '', request.url ?? ''));
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(Number(port), '127.0.0.1');
