import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { createPauses } from '../../../kernel/pauses.ts';
import type { ImportReport } from './contract.ts';

/** Number of rows of a report that are serialized at once. */
const AT_ONCE = 200;

/**
 * Hook `preSerialization` that serializes an import's report in pieces, since a whole one of 50,000 rows would hold up
 * other requests.
 */
export async function serializeReport(
  _request: unknown,
  reply: FastifyReply,
  body: unknown,
): Promise<unknown> {
  if (!hasReport(body)) return body;
  const pieces = await piecesOf(body);
  reply.header(
    'content-length',
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  reply.serializer((stream) => stream as never);
  return Readable.from(pieces);
}

interface ReportBody {
  import: ImportReport;
}

function hasReport(body: unknown): body is ReportBody {
  return typeof body === 'object' && body !== null && 'import' in body;
}

async function piecesOf({ import: { rows, ...report }, ...others }: ReportBody): Promise<Buffer[]> {
  const frame = JSON.stringify({ ...others, import: { ...report, rows: [] } });
  const end = ']}}';
  const pieces = [Buffer.from(frame.slice(0, -end.length))];
  const pause = createPauses();
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const list = JSON.stringify(rows.slice(from, from + AT_ONCE)).slice(1, -1);
    pieces.push(Buffer.from(from === 0 ? list : `,${list}`));
    await pause();
  }
  return [...pieces, Buffer.from(end)];
}
