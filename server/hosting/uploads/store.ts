import { createReadStream } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { insertInto } from '../../kernel/database/rows.ts';
import { newId } from '../../kernel/identifiers.ts';
import { isUnfinishedDeployment, lockApplicationRow } from '../model/deployment-rows.ts';
import type { Upload } from '../model/upload.ts';
import type { FolderSummary } from './repack.ts';

const CHUNK_BYTES = 2 ** 20;
/** Time after which an upload whose chunks are not all stored counts as broken off. */
const BROKEN_OFF_HOURS = 1;

/** SQL expression for an uploaded folder's data as a JSON object, with the fields of `Upload` in model/upload.ts. */
const uploadJson = sql`
  jsonb_build_object('upload_id', uploads.upload_id, 'sha256', uploads.sha256, 'files', uploads.files,
    'bytes', uploads.bytes,
    'uploaded_at', to_char(uploads.uploaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** Folders that owners uploaded, each as a tar.gz (repack.ts) in chunks of a MiB. */
export class UploadStore {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /**
   * Stores the tar.gz in a file as the newest upload of an application, and deletes uploads that nothing needs any
   * more; `onComplete` runs in the transaction that does. Undefined if the application does not exist. Each chunk is written by itself, so that nobody waits for a long
   * transaction.
   */
  async add(
    applicationId: string,
    path: string,
    summary: FolderSummary,
    now: Temporal.Instant,
    onComplete: (transaction: Kysely<unknown>) => Promise<void>,
  ): Promise<Upload | undefined> {
    await this.#removeBrokenOff(now);
    const id = newId();
    const { rows } = await sql`
      insert into uploads (upload_id, application_uuid, sha256, files, bytes, uploaded_at)
      select ${id}::uuid, application_uuid, ${summary.sha256}, ${summary.files}::integer, ${summary.bytes}::bigint,
        ${toTimestamp(now)}::timestamptz
      from applications where application_uuid = ${applicationId} returning upload_id`.execute(this.#db);
    if (rows.length === 0) return undefined;
    try {
      let number = 0;
      for await (const content of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
        await insertInto('upload_chunks', { upload_id: id, number, content }).execute(this.#db);
        number += 1;
      }
      return await this.#complete(applicationId, id, onComplete);
    } catch (error) {
      await sql`delete from uploads where upload_id = ${id}`.execute(this.#db).catch(() => {});
      throw error;
    }
  }

  /**
   * Copies an upload to another application, and returns the copy's id. It becomes the newest upload of that application
   * once it is marked as complete. Fails if the upload was deleted meanwhile.
   */
  async copy(uploadId: string, applicationId: string, now: Temporal.Instant): Promise<string> {
    const id = newId();
    await sql`
      insert into uploads (upload_id, application_uuid, sha256, files, bytes, uploaded_at)
      select ${id}::uuid, ${applicationId}::uuid, sha256, files, bytes, ${toTimestamp(now)}::timestamptz
      from uploads where upload_id = ${uploadId}`.execute(this.#db);
    for (let number = 0; ; number += 1) {
      const { numAffectedRows = 0n } = await sql`
        insert into upload_chunks (upload_id, number, content)
        select ${id}::uuid, number, content from upload_chunks
        where upload_id = ${uploadId} and number = ${number}`.execute(this.#db);
      if (numAffectedRows === 0n) return id;
    }
  }

  newest(applicationId: string, through = this.#db): Promise<Upload | undefined> {
    return newestUpload(through, applicationId);
  }

  /** Chunks of an upload's tar.gz in order. Fails if the upload was deleted meanwhile. */
  async *read(uploadId: string): AsyncGenerator<Buffer> {
    for (let number = 0; ; number += 1) {
      const { rows } = await sql<{ content: Buffer | Uint8Array }>`
        select content from upload_chunks where upload_id = ${uploadId} and number = ${number}`.execute(
        this.#db,
      );
      if (!rows[0]) break;
      yield Buffer.from(rows[0].content);
    }
  }

  #complete(
    applicationId: string,
    id: string,
    onComplete: (transaction: Kysely<unknown>) => Promise<void>,
  ): Promise<Upload | undefined> {
    return this.#db.transaction().execute(async (transaction) => {
      await lockApplicationRow(transaction, applicationId);
      const { rows } = await sql<{ upload: Upload }>`
        update uploads set complete = true where upload_id = ${id} returning ${uploadJson} as upload`.execute(
        transaction,
      );
      await deleteUnneededUploads(transaction, applicationId);
      await onComplete(transaction);
      return rows[0]?.upload;
    });
  }

  /** Deletes uploads that a server began to store and never completed. */
  async #removeBrokenOff(now: Temporal.Instant): Promise<void> {
    await sql`
      delete from uploads
      where not complete and uploaded_at < ${toTimestamp(now.subtract({ hours: BROKEN_OFF_HOURS }))}`.execute(
      this.#db,
    );
  }
}

/** Newest upload of an application. */
export async function newestUpload(db: Kysely<unknown>, applicationId: string): Promise<Upload | undefined> {
  const { rows } = await sql<{ upload: Upload }>`
    select ${uploadJson} as upload from uploads where application_uuid = ${applicationId} and complete
    order by upload_id desc limit 1`.execute(db);
  return rows[0]?.upload;
}

export async function findUpload(db: Kysely<unknown>, uploadId: string): Promise<Upload | undefined> {
  const { rows } = await sql<{ upload: Upload }>`
    select ${uploadJson} as upload from uploads where upload_id = ${uploadId}`.execute(db);
  return rows[0]?.upload;
}

/** Deletes an application's uploads but the newest and those that a release or an unfinished deployment needs. */
export async function deleteUnneededUploads(
  transaction: Kysely<unknown>,
  applicationId: string,
): Promise<void> {
  await sql`
    delete from uploads where application_uuid = ${applicationId} and complete
      and exists (select from uploads newer where newer.application_uuid = ${applicationId} and newer.complete
        and newer.upload_id > uploads.upload_id)
      and not exists (select from releases where releases.upload_id = uploads.upload_id)
      and not exists (select from deployments where deployments.application_uuid = ${applicationId}
        and deployments.status in (${isUnfinishedDeployment})
        and deployments.upload ->> 'upload_id' = uploads.upload_id::text)`.execute(transaction);
}
