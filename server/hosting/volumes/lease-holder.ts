import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { Refusal } from '../../kernel/refusal.ts';
import { messages } from './messages.ts';

/** Header of a request that another server has passed on; such a request is not passed on again. */
const PASSED_ON = 'simcha-to-holder';
/**
 * Headers that are copied to the request which is passed on to the lease holder, and headers that are copied from its
 * answer.
 */
const REQUEST_HEADERS = ['x-api-key', 'authorization', 'accept-language', 'content-type', 'idempotency-key'];
const ANSWER_HEADERS = ['content-type', 'content-disposition', 'content-length', 'cache-control'];

/**
 * Hooks (preHandler) of routes that need the disk of the machine that runs sites. Other servers pass such a request on
 * to the lease holder, at its INTERNAL_URL.
 */
export interface LeaseHolderHooks {
  /** Hook that answers 503 if there is no lease holder, or if it can't be reached. */
  required: preHandlerAsyncHookHandler;
  /**
   * Hook that passes a request on to the lease holder if possible. If not, this server answers without the disk, and
   * `isHere` is false.
   */
  preferred: preHandlerAsyncHookHandler;
  /** True if the hook of this request's route has found that this server's machine is the one that runs the sites. */
  isHere(request: FastifyRequest): boolean;
}

/** Creates hooks that pass requests on to the lease holder. `machine`: id of this server's data folder. */
export function passToLeaseHolder(db: Kysely<unknown>, machine: string): LeaseHolderHooks {
  const here = new WeakSet<FastifyRequest>();
  const hook =
    (isNeeded: boolean): preHandlerAsyncHookHandler =>
    async (request, reply) => {
      const { rows } = await sql<{ machine: string; address: string | null }>`
        select machine, address from hosting_lease where held_until > clock_timestamp()`.execute(db);
      const [holder] = rows;
      if (holder?.machine === machine) {
        here.add(request);
        return;
      }
      if (holder?.address && request.headers[PASSED_ON] === undefined) {
        const passedOn = await passOn(request, reply, holder.address);
        if (passedOn) return passedOn;
      }
      if (isNeeded) throw new Refusal(503, 'unhosted', messages.unhosted);
    };
  return { required: hook(true), preferred: hook(false), isHere: (request) => here.has(request) };
}

/** Passes a request on to the server at an address; undefined if that server does not answer. */
async function passOn(
  request: FastifyRequest,
  reply: FastifyReply,
  address: string,
): Promise<FastifyReply | undefined> {
  const { method, headers, raw, body } = request;
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const copied = REQUEST_HEADERS.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
  const init: RequestInit & { duplex?: 'half' } = {
    method,
    headers: { ...Object.fromEntries(copied), [PASSED_ON]: '1' },
    redirect: 'error',
    signal: gone.signal,
  };
  if (body instanceof Readable) Object.assign(init, { body: Readable.toWeb(body), duplex: 'half' });
  const answer = await fetch(new URL(raw.url ?? '', address), init).catch((error) => {
    request.log.warn({ err: error }, 'the server that runs sites could not be reached');
    return undefined;
  });
  if (!answer) return undefined;
  const headersOut = ANSWER_HEADERS.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const content = answer.body ? Readable.fromWeb(answer.body as never) : null;
  return reply.code(answer.status).headers(Object.fromEntries(headersOut)).send(content);
}
