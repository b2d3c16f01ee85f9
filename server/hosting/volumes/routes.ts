import { pipeline, type Readable, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsOf, refuseUnknown } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { authorizeApplication } from '../applications/access.ts';
import { makeChange, newFields, recordRequest } from '../applications/changes.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { refuseIfGone } from '../deployments/deployments.ts';
import { READ_TIMES } from './archive-check.ts';
import type { VolumeName } from './contents.ts';
import {
  addSchema,
  backupSchema,
  emptySchema,
  listSchema,
  readSchema,
  removeSchema,
  restoreSchema,
  sharedSchemas,
  type VolumeRecord,
} from './contract.ts';
import { volumeFields } from './fields.ts';
import type { LeaseHolderHooks } from './lease-holder.ts';
import { messages } from './messages.ts';
import { createOrphanedVolumes, type OrphanedVolumes } from './orphaned-volumes.ts';
import { newContent, type VolumeRow, type VolumeStore } from './store.ts';
import type { VolumeMigration } from './volume-migration.ts';

export interface VolumeRouteParts {
  store: VolumeStore;
  /**
   * Contents of volumes on a server that may run sites, once its runtime is open; undefined on a server that never runs
   * any.
   */
  currentMigration(): VolumeMigration | undefined;
  /** Passes requests about contents of volumes to the server that runs sites (lease-holder.ts). */
  leaseHolder: LeaseHolderHooks;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
  diskMb: number;
}

const TAR = 'application/x-tar';
/** Timeout for measuring a volume; if it takes longer, the answer has no size. */
const MEASUREMENT_MS = 5_000;

/** Serves volumes, an application's folders that outlive its releases: `/api/v1/applications/{uuid}/volumes`. */
export function serveVolumes(server: Server, parts: VolumeRouteParts): void {
  const { applications, readDeveloper } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      serveAdding(app, parts);
      serveReading(app, parts);
      serveRemoval(app, parts);
      serveBackup(app, parts);
      serveRestore(app, parts);
    },
    { prefix: `${PREFIX}/:uuid/volumes` },
  );
}

function serveAdding(app: App, parts: VolumeRouteParts): void {
  const { store, clock } = parts;
  app.post('', { schema: addSchema }, (request, reply) => {
    const { application, body } = request;
    return makeChange(parts, request, reply, async (transaction) => {
      const fields = fieldsOf(body);
      refuseUnknown(Object.keys(volumeFields), fields);
      const volume = readWhole(volumeFields, fields);
      const row = await refuseIfGone(store.add(application.environment_id, volume, clock(), transaction));
      const location = `${PREFIX}/${application.application_uuid}/volumes/${row.name}`;
      const history = { subject: row.name, changes: newFields({ path: row.path }) };
      return { status: 201, headers: { location }, body: present(row, 0), history };
    });
  });
}

function serveReading(app: App, parts: VolumeRouteParts): void {
  const { store, leaseHolder } = parts;

  app.get('', { schema: listSchema, preHandler: leaseHolder.preferred }, async (request) => {
    const rows = await store.list(request.application.environment_id);
    return { volumes: await Promise.all(rows.map((row) => presentMeasured(request, row, parts))) };
  });

  app.get('/:name', { schema: readSchema, preHandler: leaseHolder.preferred }, async (request) =>
    presentMeasured(request, await findVolume(store, request), parts),
  );
}

/** Serves requests that delete a volume's content. */
function serveRemoval(app: App, parts: VolumeRouteParts): void {
  const { store, leaseHolder, clock } = parts;
  const preHandler = leaseHolder.required;

  app.delete('/:name', { schema: removeSchema, preHandler }, async (request, reply) => {
    const row = await findVolume(store, request);
    const { environment_id } = request.application;
    const { remove } = orphansOf(request, parts);
    await refuseIfGone(
      store.whileStopped(environment_id, async (transaction) => {
        await store.remove(environment_id, row, transaction);
        await recordRequest(transaction, request, { subject: row.name }, clock());
      }),
    );
    await remove(contentOf(request, row));
    return reply.code(204).send(null);
  });

  app.post('/:name/empty', { schema: emptySchema, preHandler }, async (request) => {
    const row = await findVolume(store, request);
    const { environment_id } = request.application;
    await refuseIfGone(
      requireMigration(parts).empty(contentOf(request, row), (work) =>
        store.whileStopped(environment_id, async (transaction) => {
          await work();
          await recordRequest(transaction, request, { subject: row.name }, clock());
        }),
      ),
    );
    return presentMeasured(request, row, parts);
  });
}

function serveBackup(app: App, parts: VolumeRouteParts): void {
  const { store, leaseHolder, clock } = parts;
  const options = { schema: backupSchema, preHandler: leaseHolder.required };
  app.get('/:name/backup', options, async (request, reply) => {
    const row = await findVolume(store, request);
    const file = `${request.application.subdomain}-${row.name}.tar`;
    reply.header('content-disposition', `attachment; filename="${file}"`).type(TAR);
    const archive = await requireMigration(parts).backup(contentOf(request, row));
    const { environment_id } = request.application;
    return reply.send(
      countedArchive(archive, (bytes) =>
        // The backup is complete even if the database, which is told of it, is away.
        store.noteBackup(environment_id, row, bytes, clock()).catch(() => {}),
      ),
    );
  });
}

/** Archive that reports its size once it was read to its end, before the reader learns of the end. */
function countedArchive(archive: Readable, onRead: (bytes: number) => Promise<void>): Readable {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      void onRead(bytes).then(() => done());
    },
  });
  // Errors reach the reader by `counting`, which the pipeline destroys.
  pipeline(archive, counting, () => {});
  return counting;
}

function serveRestore(app: App, parts: VolumeRouteParts): void {
  app.register(async (archives: App) => {
    archives.removeAllContentTypeParsers();
    archives.addContentTypeParser(TAR, (_request, payload, done) => done(null, payload));
    archives.addContentTypeParser('*', (_request, _payload, done) =>
      done(new Refusal(415, 'wrong_content_type', messages.wrongType)),
    );
    // Request bodies larger than the limit of an archive are read, up to this size, so that such an archive gets the
    // error of archive-check.ts.
    const bodyLimit = READ_TIMES * parts.diskMb * 2 ** 20;
    const options = { schema: restoreSchema, preHandler: parts.leaseHolder.required, bodyLimit };
    archives.put('/:name/backup', options, async (request) => restore(request, parts));
  });
}

async function restore(request: FastifyRequest, parts: VolumeRouteParts): Promise<VolumeRecord> {
  const { store } = parts;
  const row = await findVolume(store, request);
  const { environment_id } = request.application;
  if (!request.body) throw new Refusal(400, 'no_archive', messages.noTar);
  // The environment's state is checked before the upload, and again after it.
  await refuseIfGone(store.whileStopped(environment_id, async () => {}));
  const { remove } = orphansOf(request, parts);
  const fresh = { ...row, content: newContent(row.name) };
  // The new content is recorded as orphaned first, so that it is removed even if this server ends during the restore.
  await refuseIfGone(store.recordOrphan(environment_id, fresh.content));
  try {
    await requireMigration(parts).fill(contentOf(request, fresh), request.body as Readable);
    await request.checkAgain?.();
    await refuseIfGone(
      store.whileStopped(environment_id, async (transaction) => {
        await store.replace(environment_id, row, fresh.content, transaction);
        await recordRequest(transaction, request, { subject: row.name }, parts.clock());
      }),
    );
  } catch (error) {
    await remove(contentOf(request, fresh));
    throw error;
  }
  await remove(contentOf(request, row));
  return presentMeasured(request, fresh, parts);
}

/** Finds the volume that a request names. Throws a 404 if the application has none with that name. */
async function findVolume(store: VolumeStore, request: FastifyRequest): Promise<VolumeRow> {
  const { name } = request.params as { name: string };
  const row = await store.find(request.application.environment_id, toStorableText(name));
  if (!row) throw new Refusal(404, 'not_found', messages.noSuchVolume);
  return row;
}

function contentOf({ application }: FastifyRequest, { content }: Pick<VolumeRow, 'content'>): VolumeName {
  return {
    applicationId: application.application_uuid,
    environmentId: application.environment_id,
    name: content,
  };
}

/**
 * Returns the server's part that reads and replaces the contents of volumes. Throws a 503 on a server that never runs
 * sites.
 */
function requireMigration({ currentMigration }: VolumeRouteParts): VolumeMigration {
  const volumeMigration = currentMigration();
  if (!volumeMigration) throw new Refusal(503, 'unhosted', messages.unhosted);
  return volumeMigration;
}

function orphansOf({ log }: FastifyRequest, parts: VolumeRouteParts): OrphanedVolumes {
  return createOrphanedVolumes({ store: parts.store, volumeMigration: requireMigration(parts), log });
}

/** Volume with its size; the size is null if this server can't measure it in time. */
async function presentMeasured(
  request: FastifyRequest,
  row: VolumeRow,
  { leaseHolder, currentMigration }: VolumeRouteParts,
): Promise<VolumeRecord> {
  const volumeMigration = currentMigration();
  if (!volumeMigration || !leaseHolder.isHere(request)) return present(row, null);
  const signal = AbortSignal.timeout(MEASUREMENT_MS);
  return present(row, await volumeMigration.size(contentOf(request, row), signal));
}

function present(row: VolumeRow, bytes: number | null): VolumeRecord {
  const { name, path, created_at, backed_up_at, backup_bytes } = row;
  return {
    name,
    path,
    bytes,
    backed_up_at: backed_up_at?.toISOString() ?? null,
    backup_bytes,
    created_at: created_at.toISOString(),
  };
}
