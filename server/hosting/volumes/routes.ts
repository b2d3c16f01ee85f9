import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type DeveloperReader, keyOwnerOf } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsOf, refuseUnknown } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { ownApplication } from '../applications/access.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { refuseIfGone } from '../deployments/deployments.ts';
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
import { createOrphanedVolumes } from './orphaned-volumes.ts';
import { newContent, type VolumeRow, type VolumeStore } from './store.ts';
import { READ_TIMES } from './unpacking.ts';
import type { VolumeMigration } from './volume-migration.ts';

export interface VolumeRouteParts {
  store: VolumeStore;
  /** Contents of volumes on the server that runs sites; undefined on a server that never does. */
  volumeMigration: VolumeMigration | undefined;
  /** Passes requests about contents to the server that runs sites (lease-holder.ts). */
  leaseHolder: LeaseHolderHooks;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
  diskMb: number;
}

const TAR = 'application/x-tar';

/** Serves volumes, an application's folders that outlive its releases: `/api/v1/applications/{uuid}/volumes`. */
export function serveVolumes(server: Server, parts: VolumeRouteParts): void {
  const { store, volumeMigration, leaseHolder, applications, readDeveloper, transactOnce, clock, diskMb } =
    parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  const nameOf = ({ application }: FastifyRequest, { content }: Pick<VolumeRow, 'content'>): VolumeName => ({
    applicationId: application.application_uuid,
    environmentId: application.environment_id,
    name: content,
  });
  const onDisk = (): VolumeMigration => {
    if (!volumeMigration) throw new Refusal(503, 'unhosted', messages.unhosted);
    return volumeMigration;
  };
  const orphansOf = ({ log }: FastifyRequest) =>
    createOrphanedVolumes({ store, volumeMigration: onDisk(), log });
  const presentVolume = async (request: FastifyRequest, row: VolumeRow): Promise<VolumeRecord> => {
    const measuring = AbortSignal.timeout(MEASURED_MS);
    const isHere = leaseHolder.isHere(request);
    const bytes = isHere ? ((await volumeMigration?.size(nameOf(request, row), measuring)) ?? null) : null;
    return { name: row.name, path: row.path, bytes, created_at: row.created_at.toISOString() };
  };
  const named = async (request: FastifyRequest): Promise<VolumeRow> => {
    const { name } = request.params as { name: string };
    const row = await store.find(request.application.environment_id, toStorableText(name));
    if (!row) throw new Refusal(404, 'not_found', messages.noSuchVolume);
    return row;
  };

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', ownApplication(server, readDeveloper, applications));

      app.post('', { schema: addSchema }, (request, reply) => {
        const { application, developer, body } = request;
        return transactOnce(request, reply, keyOwnerOf(developer), async (through) => {
          const fields = fieldsOf(body);
          refuseUnknown(Object.keys(volumeFields), fields);
          const volume = readWhole(volumeFields, fields);
          const row = await refuseIfGone(store.add(application.environment_id, volume, clock(), through));
          const location = `${PREFIX}/${application.application_uuid}/volumes/${row.name}`;
          const { name, path, created_at } = row;
          const added = { name, path, bytes: 0, created_at: created_at.toISOString() };
          return { status: 201, headers: { location }, body: added };
        });
      });

      app.get('', { schema: listSchema, preHandler: leaseHolder.preferred }, async (request) => {
        const rows = await store.list(request.application.environment_id);
        return { volumes: await Promise.all(rows.map((row) => presentVolume(request, row))) };
      });

      app.get('/:name', { schema: readSchema, preHandler: leaseHolder.preferred }, async (request) =>
        presentVolume(request, await named(request)),
      );

      app.delete(
        '/:name',
        { schema: removeSchema, preHandler: leaseHolder.required },
        async (request, reply) => {
          const row = await named(request);
          const { environment_id } = request.application;
          const { remove } = orphansOf(request);
          await refuseIfGone(
            store.whileStopped(environment_id, (through) => store.remove(environment_id, row, through)),
          );
          await remove(nameOf(request, row));
          return reply.code(204).send(null);
        },
      );

      app.post('/:name/empty', { schema: emptySchema, preHandler: leaseHolder.required }, async (request) => {
        const row = await named(request);
        const { environment_id } = request.application;
        await refuseIfGone(
          onDisk().empty(nameOf(request, row), (work) => store.whileStopped(environment_id, work)),
        );
        return presentVolume(request, row);
      });

      app.get(
        '/:name/backup',
        { schema: backupSchema, preHandler: leaseHolder.required },
        async (request, reply) => {
          const row = await named(request);
          const file = `${request.application.subdomain}-${row.name}.tar`;
          reply.header('content-disposition', `attachment; filename="${file}"`).type(TAR);
          return reply.send(await onDisk().backup(nameOf(request, row)));
        },
      );

      app.register(async (archives: App) => {
        archives.removeAllContentTypeParsers();
        archives.addContentTypeParser(TAR, (_request, payload, done) => done(null, payload));
        archives.addContentTypeParser('*', (_request, _payload, done) =>
          done(new Refusal(415, 'wrong_content_type', messages.wrongType)),
        );
        const bodyLimit = READ_TIMES * diskMb * 2 ** 20;
        const options = { schema: restoreSchema, preHandler: leaseHolder.required, bodyLimit };
        archives.put('/:name/backup', options, async (request) => restore(request));
      });
    },
    { prefix: `${PREFIX}/:uuid/volumes` },
  );

  async function restore(request: FastifyRequest): Promise<VolumeRecord> {
    const row = await named(request);
    const { environment_id } = request.application;
    if (!request.body) throw new Refusal(400, 'no_archive', messages.noTar);
    // The state is checked before the upload, and again after it.
    await refuseIfGone(store.whileStopped(environment_id, async () => {}));
    const { remove } = orphansOf(request);
    const fresh = { ...row, content: newContent(row.name) };
    // Recorded as orphaned first, so that the content is cleaned up even if this server dies.
    await refuseIfGone(store.recordOrphan(environment_id, fresh.content));
    try {
      await onDisk().fill(nameOf(request, fresh), request.body as Readable);
      await refuseIfGone(
        store.whileStopped(environment_id, (through) =>
          store.replace(environment_id, row, fresh.content, through),
        ),
      );
    } catch (error) {
      await remove(nameOf(request, fresh));
      throw error;
    }
    await remove(nameOf(request, row));
    return presentVolume(request, fresh);
  }
}

/** Timeout for measuring; the size of volumes that take longer is not given. */
const MEASURED_MS = 5_000;
