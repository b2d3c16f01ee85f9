import { pipeline } from 'node:stream/promises';
import { createBrotliCompress, createGzip, constants as zlib } from 'node:zlib';
import type { RunPlan } from '../../model/plan.ts';
import { headersOf } from '../../site-rules/headers.ts';
import { findRedirect, isRedirect } from '../../site-rules/redirects.ts';
import type { IncomingRequest } from '../incoming-request.ts';
import type { OutgoingResponse } from '../outgoing-response.ts';
import type { CachedRules } from './cached-rules.ts';
import { isUnchanged, mayContinue } from './conditions.ts';
import { acceptedEncodings, type Encoding } from './encoding.ts';
import { type Files, openFile, type SiteFile } from './files.ts';
import { hasContentHash } from './hashed.ts';
import { folderAddress, parseSitePath, queryOf, type SitePath } from './path.ts';
import { type PreparedAnswers, rawHeaders } from './prepared-answers.ts';
import { parseRange, type Range } from './range.ts';
import type { StaticRequest } from './static-request.ts';

/** Function that answers a request with an error page of the gateway. */
export type Refuse = (
  problem: 'no_such_page' | 'method_not_allowed',
  headers?: Record<string, string>,
) => void;

/**
 * Value of the header `Cache-Control` that makes browsers ask each time whether the file has changed, because a new
 * version may be deployed at any moment. For an unchanged file, the answer is a 304 of a few bytes.
 */
const ASK_EACH_TIME = 'no-cache';
/** Value of the header `Cache-Control` for files that never change under their name. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const SMALLEST_COMPRESSED = 1024;
const STALLED_MS = 300_000;
const SUFFIX: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Caches that static sites are served from. */
export interface StaticParts {
  files: Files;
  rules: CachedRules;
  prepared: PreparedAnswers;
}

/** File to send, with its status and headers. */
interface Sending {
  file: SiteFile;
  status: 200 | 404;
  /** Headers that the site's file `_headers` sets for this address, by names in lower case. */
  own?: ReadonlyMap<string, string> | undefined;
  /**
   * True if the file is sent in place of another address (error page, single-page app, rewrite); it must not be cached
   * as that address's content.
   */
  isSubstitute?: boolean;
  /** Key under which the answer is prepared for further requests (prepared-answers.ts); absent: it is not. */
  key?: string | undefined;
}

/**
 * Answers with a file of the site in `folder`. A folder is answered with its `index.html`; `/about` and `/about/` with
 * `about.html` if there is no `about`. Missing files are answered with `404.html`; in single-page apps navigations get
 * the app's page instead, while missing assets stay 404. Redirects of the site apply after its files, or before them if
 * the rule is forced.
 */
export async function serveFile(
  staticRequest: StaticRequest,
  { folder, spa }: { folder: string; spa?: RunPlan['spa'] },
  { files, rules: cachedRules, prepared }: StaticParts,
  refuse: Refuse,
  key?: string,
): Promise<void> {
  const { request, response, target } = staticRequest;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse('method_not_allowed', { allow: 'GET, HEAD' });
    return;
  }
  const path = parseSitePath(target);
  const rules = await cachedRules.of(folder);
  const own = path && rules.headers && headersOf(rules.headers, path.segments);
  const send = (sending: Omit<Sending, 'own'>) =>
    sendFile(staticRequest, { ...sending, own }, { files, prepared }, folder);
  const found = path && rules.redirects && findRedirect(rules.redirects, path.segments, queryOf(target));

  const file = found?.rule.force ? undefined : path && (await findPage(files, folder, path));
  if (file === 'elsewhere') return redirect(response, 301, folderAddress(path?.segments ?? [], target));
  if (file) return send({ file, status: 200, key });
  const { rule, to } = found ?? {};
  if (rule && to !== undefined) {
    if (isRedirect(rule.status)) return redirect(response, rule.status, to);
    const substitute = await findPage(files, folder, parseSitePath(to), 'as a page');
    if (substitute && substitute !== 'elsewhere')
      return send({ file: substitute, status: rule.status === 404 ? 404 : 200, isSubstitute: true });
  }
  const missing = await findFile(files, folder, ['404.html']);
  const isOne = spa === 'always' || (spa === 'auto' && !missing);
  const page = isOne && path && isNavigation(request, path.segments) && (await findAppPage(files, folder));
  if (page) await send({ file: page, status: 200, isSubstitute: true });
  else if (missing) await send({ file: missing, status: 404, isSubstitute: true });
  else refuse('no_such_page');
}

/** Redirects are revalidated each time: the next version of the site may have a file at this address. */
function redirect(response: OutgoingResponse, status: number, location: string): void {
  response.writeHead(status, { location, 'content-length': 0, 'cache-control': 'no-cache' });
  response.end();
}

/**
 * Finds the page of a single-page app. `200.html` is the name that some tools give it:
 * https://svelte.dev/docs/kit/single-page-apps.
 */
async function findAppPage(files: Files, folder: string): Promise<SiteFile | undefined> {
  return (await findFile(files, folder, ['200.html'])) ?? findFile(files, folder, ['index.html']);
}

/**
 * True if a request is a browser's navigation: `sec-fetch-dest` says so (https://www.w3.org/TR/fetch-metadata/);
 * without that header, the accepted types and a name without a file extension do.
 */
function isNavigation(request: IncomingRequest, segments: readonly string[]): boolean {
  const use = request.header('sec-fetch-dest');
  if (use !== undefined) return PAGES.has(use);
  const takesPages = /text\/html|\*\/\*/.test(request.header('accept') ?? '*/*');
  return takesPages && !/\.[a-z][a-z0-9]{0,9}$/i.test(segments.at(-1) ?? '');
}

const PAGES = new Set(['document', 'iframe', 'frame', 'embed', 'object', 'fencedframe']);

/**
 * Finds the file for a path. `as a page`: for a folder, its `index.html`, with or without the trailing slash, without a
 * redirect.
 */
async function findPage(
  files: Files,
  folder: string,
  path: SitePath | undefined,
  how?: 'as a page',
): Promise<SiteFile | 'elsewhere' | undefined> {
  if (!path) return undefined;
  const { segments } = path;
  const index = () => findFile(files, folder, [...segments, 'index.html']);
  const last = segments.at(-1) ?? '';
  const named = async () =>
    last === '' || last.includes('.')
      ? undefined
      : findFile(files, folder, [...segments.slice(0, -1), `${last}.html`]);
  if (path.folder) return (await index()) ?? named();
  const found = await files.find(folder, segments);
  if (found === 'folder') return how ? index() : (await index()) && 'elsewhere';
  return found ?? named();
}

async function findFile(files: Files, folder: string, segments: readonly string[]) {
  const found = await files.find(folder, segments);
  return found === 'folder' ? undefined : found;
}

async function sendFile(
  { request, response }: StaticRequest,
  { file, status, own, isSubstitute = false, key }: Sending,
  { files, prepared }: Pick<StaticParts, 'files' | 'prepared'>,
  folder: string,
): Promise<void> {
  const rangeAsked =
    status === 200 && request.method === 'GET' && mayContinue(request.header('if-range'), file);
  const range = rangeAsked ? parseRange(request.header('range'), file.size) : 'all';
  const variant =
    range === 'all' ? await bestVariant(file, request.header('accept-encoding'), files, folder) : { file };
  const etag = variant.encoding ? `${file.etag.slice(0, -1)}-${variant.encoding}"` : file.etag;
  const about: Record<string, string | number> = {
    'content-type': file.type,
    etag,
    'last-modified': file.modified.toUTCString(),
    'cache-control': !isSubstitute && hasContentHash(file.segments) ? FOR_GOOD : ASK_EACH_TIME,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    ...(file.compressible && { vary: 'accept-encoding' }),
    ...(variant.encoding && { 'content-encoding': variant.encoding }),
  };
  for (const [name, value] of own ?? []) {
    // Headers that the gateway has already set for this response stay, such as a preview's `x-robots-tag`.
    if (response.hasHeader(name)) continue;
    if (name === 'vary') about.vary = about.vary ? `${about.vary}, ${value}` : value;
    else if (name !== 'cache-control' || !isSubstitute) about[name] = value;
  }
  if (status === 200 && isUnchanged(request, etag, file.modified)) {
    delete about['content-encoding'];
    response.writeHead(304, about);
    response.end();
  } else if (range === 'none') {
    response.writeHead(416, { 'content-range': `bytes */${file.size}`, 'content-length': 0 });
    response.end();
  } else if (range === 'all') {
    const content = await sendWhole(request, response, status, about, variant, files);
    if (content && key !== undefined)
      prepared.add(key, { headers: rawHeaders(about), content, etag, modified: file.modified });
  } else {
    about['content-range'] = `bytes ${range.start}-${range.end}/${file.size}`;
    about['content-length'] = range.end - range.start + 1;
    response.writeHead(206, about);
    await stream(response, file, range);
  }
}

interface Variant {
  /** File to read: the requested file, or a compressed copy of it that the site has beside it, such as `app.js.br`. */
  file: SiteFile;
  encoding?: Encoding;
  /** True if the gateway compresses the file itself. */
  compress?: boolean;
}

/**
 * A precompressed neighbour (`app.js.br`) is preferred: its author usually spent more effort on compression than the
 * gateway would.
 */
async function bestVariant(
  file: SiteFile,
  accept: string | undefined,
  files: Files,
  folder: string,
): Promise<Variant> {
  if (!file.compressible || !accept) return { file };
  const encodings = acceptedEncodings(accept);
  const parents = file.segments.slice(0, -1);
  const name = file.segments.at(-1);
  for (const encoding of encodings) {
    const neighbour = await findFile(files, folder, [...parents, `${name}${SUFFIX[encoding]}`]);
    if (neighbour && neighbour.modified >= file.modified) return { file: neighbour, encoding };
  }
  const [encoding] = encodings;
  return encoding && file.size >= SMALLEST_COMPRESSED ? { file, encoding, compress: true } : { file };
}

/** Sends a whole file. Returns its content if that is cached. */
async function sendWhole(
  request: IncomingRequest,
  response: OutgoingResponse,
  status: number,
  about: Record<string, string | number>,
  { file, encoding, compress }: Variant,
  files: Files,
): Promise<Buffer | undefined> {
  const content = await files.content(file, compress ? encoding : undefined);
  if (content) {
    about['content-length'] = content.length;
    response.writeHead(status, about);
    response.end(content);
    return content;
  }
  if (!compress) about['content-length'] = file.size;
  response.writeHead(status, about);
  if (request.method === 'HEAD') response.end();
  else await stream(response, file, undefined, compress ? encoding : undefined);
  return undefined;
}

async function stream(
  response: OutgoingResponse,
  file: SiteFile,
  range: Range | undefined,
  encoding?: Encoding,
): Promise<void> {
  const handle = await openFile(file);
  const bytes = handle.createReadStream({ ...range, highWaterMark: 256 * 1024 });
  if (!encoding) return sendStream(response, bytes);
  const compressor =
    encoding === 'gzip'
      ? createGzip({ level: 6 })
      : createBrotliCompress({ params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } });
  return pipeline(bytes, compressor, (compressed) => sendStream(response, compressed));
}

/** Sends the bytes of a stream at the pace of the client. The stream is destroyed if the client goes. */
async function sendStream(response: OutgoingResponse, bytes: AsyncIterable<Buffer>): Promise<void> {
  response.limitStalls(STALLED_MS);
  for await (const chunk of bytes) {
    if (!response.write(chunk)) await response.drained();
    if (response.isClosed) return;
  }
  response.end();
}
