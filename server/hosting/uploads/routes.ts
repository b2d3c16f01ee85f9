import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Fields } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { abortedOnClose, createCallerQueue } from '../../kernel/http/fair-share.ts';
import type { Logger } from '../../kernel/log.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createUploads, FileTooLarge, type SpooledFile, type Uploads } from '../../kernel/uploads.ts';
import { authorizeApplication, noSuchApplication } from '../applications/access.ts';
import { newFields, recordRequest } from '../applications/changes.ts';
import { messages as applicationMessages } from '../applications/messages.ts';
import { PREFIX } from '../applications/routes.ts';
import { sourceKind } from '../applications/source.ts';
import type { Application, ApplicationStore, EnvironmentName } from '../applications/store.ts';
import type { Upload } from '../model/upload.ts';
import { isOfSystem, noArchive } from './archive.ts';
import {
  presentUpload,
  readUploadSchema,
  sharedSchemas,
  type UploadedSource,
  uploadQuery,
  uploadSchema,
} from './contract.ts';
import { messages } from './messages.ts';
import { type FolderSummary, repack } from './repack.ts';
import type { UploadStore } from './store.ts';

export interface UploadRouteParts {
  config: Pick<Config, 'dataDir' | 'appsUploadMb' | 'appsDiskMb'>;
  store: UploadStore;
  /** Requests a deployment of the newest upload; resolves with the deployment's id. */
  requestDeployment(environment: EnvironmentName): Promise<string>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  clock: Clock;
  log: Logger;
}

const TYPES = [
  'application/x-tar',
  'application/tar',
  'application/gzip',
  'application/x-gzip',
  'application/zip',
  'application/octet-stream',
];
const MEBIBYTE = 2 ** 20;
/** Maximum number of files, links and folders in an uploaded folder together. */
const MOST_ENTRIES = 100_000;
/** Limits on uploads that are read at once: each costs processor time for as long as its archive is unpacked. */
const AT_ONCE = { most: 2, mostWaiting: 50, longestWaitMs: 120_000 };
const OF_EACH = { most: 1, mostWaiting: 5, longestWaitMs: 120_000 };
/** An archive up to this many times its limit is read to its end, so that the client gets the error. */
const READ_TIMES = 2;

/** Serves uploaded folders, the source of applications without a repository: `/api/v1/applications/{uuid}/source`. */
export function serveUploads(server: Server, parts: UploadRouteParts): void {
  const { config, store, applications, readDeveloper, log } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  const intake = new UploadIntake(createUploads(join(config.dataDir, 'source-uploads'), log), config);
  server.app.addHook('onReady', () => intake.uploads.sweep());

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      app.get('', { schema: readUploadSchema }, async ({ application }) => {
        const upload = await store.newest(application.application_uuid);
        if (!upload) throw new Refusal(404, 'not_found', messages.notUploaded);
        return present(application, upload, null);
      });
      app.removeAllContentTypeParsers();
      app.addContentTypeParser(TYPES, (_request, payload, done) => done(null, payload));
      app.addContentTypeParser('*', (_request, _payload, done) =>
        done(new Refusal(415, 'wrong_content_type', messages.wrongType)),
      );
      const bodyLimit = READ_TIMES * config.appsUploadMb * MEBIBYTE;
      const options = { schema: uploadSchema, bodyLimit, preHandler: requireUpload };
      app.put('', options, (request, reply) => upload(request, reply, parts, intake));
    },
    { prefix: `${PREFIX}/:uuid/source` },
  );
}

/**
 * Refuses an upload before its archive is read: if the application's source is another, or if the upload should be
 * deployed and the developer's mail address is not verified.
 */
async function requireUpload({ application, developer, query }: FastifyRequest): Promise<void> {
  const kind = sourceKind(application);
  if (kind === 'repository') throw new Refusal(409, 'source_is_repository', messages.hasRepository);
  if (kind === 'image') throw new Refusal(409, 'source_is_image', messages.hasImage);
  const { deploy } = readQuery(uploadQuery, query as Fields);
  if (deploy && !developer.verified) throw new Refusal(403, 'unverified', applicationMessages.notVerified);
}

async function upload(
  request: FastifyRequest,
  reply: FastifyReply,
  { store, requestDeployment, clock }: UploadRouteParts,
  intake: UploadIntake,
): Promise<UploadedSource> {
  const { application, developer } = request;
  const { deploy } = readQuery(uploadQuery, request.query as Fields);
  if (!request.body) throw noArchive();
  using _place = await intake.enter(developer.accountId, reply);
  await using sent = await intake.receive(request.body as Readable);
  await using packed = await intake.pack(sent.path);
  await request.checkAgain?.();
  const { application_uuid: uuid } = application;
  const { sha256, files } = packed.summary;
  const stored = await store.add(uuid, packed.file.path, packed.summary, clock(), (transaction) =>
    recordRequest(transaction, request, { changes: newFields({ sha256, files }) }, clock()),
  );
  if (!stored) throw noSuchApplication();
  reply.code(201);
  return present(application, stored, deploy ? await requestDeployment(application) : null);
}

function present(
  { application_uuid }: Application,
  stored: Upload,
  deployment_uuid: string | null,
): UploadedSource {
  return { application_uuid, ...presentUpload(stored), deployment_uuid };
}

interface PackedFolder extends AsyncDisposable {
  file: SpooledFile;
  summary: FolderSummary;
}

/** Receives archives within the server's limits, and packs them as they are stored. */
class UploadIntake {
  readonly uploads: Uploads;
  readonly #config: UploadRouteParts['config'];
  readonly #all = createCallerQueue(AT_ONCE);
  readonly #own = createCallerQueue(OF_EACH);

  constructor(uploads: Uploads, config: UploadRouteParts['config']) {
    this.uploads = uploads;
    this.#config = config;
  }

  /** Waits until another archive of the developer may be read. Throws a 429 if too many wait. */
  async enter(developerId: string, reply: FastifyReply): Promise<Disposable> {
    using places = new DisposableStack();
    const gone = abortedOnClose(reply);
    places.defer(await this.#own.enter(developerId, gone));
    places.defer(await this.#all.enter('', gone));
    return places.move();
  }

  /** Writes an archive to a temporary file. Throws a 413 if it is too large. */
  async receive(body: Readable): Promise<SpooledFile> {
    const { appsUploadMb: most } = this.#config;
    try {
      return await this.uploads.spool(body, most * MEBIBYTE);
    } catch (error) {
      throw error instanceof FileTooLarge ? new Refusal(413, 'too_large', messages.tooLarge(most)) : error;
    }
  }

  /** Checks an archive and packs it again into another temporary file. Throws a Refusal. */
  async pack(path: string): Promise<PackedFolder> {
    const limits = { bytes: this.#config.appsDiskMb * MEBIBYTE, entries: MOST_ENTRIES };
    const { packed, summary } = repack(path, limits);
    const [file, checked] = await Promise.allSettled([this.uploads.spool(packed, Infinity), summary]);
    if (file.status === 'fulfilled' && checked.status === 'fulfilled') {
      const { value } = file;
      return {
        file: value,
        summary: checked.value,
        [Symbol.asyncDispose]: () => value[Symbol.asyncDispose](),
      };
    }
    if (file.status === 'fulfilled') await file.value[Symbol.asyncDispose]();
    const reasons = [file, checked].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    // If the disk is full, the archive can't be read to its end either: only the first error then says why.
    throw reasons.find(isOfSystem) ?? reasons.at(-1);
  }
}
