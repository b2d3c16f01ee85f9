import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../kernel/clock.ts';
import { FieldProblem, refuseUnknown } from '../../../kernel/fields.ts';
import type { Server } from '../../../kernel/http/app.ts';
import { abortedOnClose, createCallerQueue } from '../../../kernel/http/fair-share.ts';
import { readQuery } from '../../../kernel/query-types.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { FileTooLarge, type SpooledFile, type Uploads } from '../../../kernel/uploads.ts';
import { alreadyAdmitted, type TransactOnce } from '../../../kernel/writes/idempotency.ts';
import { changeableEvent } from '../../events/access.ts';
import { responseLanguageOf, serveArea } from '../../events/area.ts';
import type { EventWriter } from '../../events/write.ts';
import { listQuestions } from '../../questions/store.ts';
import { messages } from '../messages.ts';
import { questionColumns } from '../question-columns.ts';
import { SHEET_LIMITS, SheetProblem } from '../sheets/sheet.ts';
import {
  formOptions,
  ImportRefusal,
  ImportReport,
  ImportWarning,
  importCsvSchema,
  importOdsSchema,
  importQuery,
  importSchema,
  importXlsxSchema,
  ODS_TYPE,
  XLSX_TYPE,
} from './contract.ts';
import { LONGEST_OPTION, refuseUnknownRows } from './fields.ts';
import { dryRunImport, importGuests } from './importer.ts';
import { type ImportOptions, importReportOf } from './report.ts';
import { serializeReport } from './report-body.ts';
import { createTableReader } from './table.ts';

export interface ImportParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
  transactOnce: TransactOnce;
  clock: Clock;
  uploads: Uploads;
}

/** Limit on imports of all organizers together: the content of a file is in memory until it is written. */
const AT_ONCE = { most: 3, mostWaiting: 50, longestWaitMs: 60_000 };
/** Limits on the imports of each organizer, so that no organizer can use all slots. */
const OF_EACH = { most: 1, mostWaiting: 10, longestWaitMs: 60_000 };

/**
 * Content types that browsers and Excel send for a guest list's file. The format is detected by the file's first bytes.
 */
const FILE_TYPES = [
  'text/csv',
  'text/plain',
  'application/csv',
  'application/octet-stream',
  'application/vnd.ms-excel',
  XLSX_TYPE,
  ODS_TYPE,
  'text/vcard',
  'text/x-vcard',
  'text/directory',
];

export function serveGuestImport(
  server: Server,
  { db, writer, authenticate, transactOnce, clock, uploads }: ImportParts,
): void {
  server.app.addSchema(ImportWarning).addSchema(ImportReport).addSchema(ImportRefusal);
  const readTable = createTableReader();
  const all = createCallerQueue(AT_ONCE);
  const own = createCallerQueue(OF_EACH);
  const placeFor = async (organizerId: string, reply: FastifyReply): Promise<Disposable> => {
    using places = new DisposableStack();
    const gone = abortedOnClose(reply);
    places.defer(await own.enter(organizerId, gone));
    places.defer(await all.enter('', gone));
    return places.move();
  };

  serveArea(server, authenticate, '/api/events/:id/guests/import', (area) => {
    area.addHook('preSerialization', serializeReport);
    area.removeAllContentTypeParsers();
    area.register(multipart, {
      limits: { files: 1, fields: 10, fileSize: SHEET_LIMITS.fileBytes, fieldSize: 4 * LONGEST_OPTION },
      throwFileSizeLimit: false,
    });
    area.addContentTypeParser(FILE_TYPES, (_request, payload, done) => done(null, payload));
    area.addContentTypeParser('*', (_request, _payload, done) =>
      done(new Refusal(415, 'wrong_content_type', messages.wrongFileType)),
    );

    // A body whose announced length exceeds the limit is refused before the route handler runs. The limit of the file
    // itself is lower than that of the body.
    area.setErrorHandler((error, request, reply) => {
      const isTooLarge = (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
      return server.errorFormatter.answer(
        isTooLarge ? refusalOf(new FileTooLarge()) : error,
        request,
        reply as never,
      );
    });

    area.after(() => {
      const bodyLimit = SHEET_LIMITS.fileBytes + 2 ** 20;
      // All four routes of an import accept each of the content types. There are four because an API description has
      // one operation for each address, and generated clients want one type of body for each operation.
      for (const [path, schema] of [
        ['', importSchema],
        ['/csv', importCsvSchema],
        ['/xlsx', importXlsxSchema],
        ['/ods', importOdsSchema],
      ] as const) {
        area.post(path, { schema, bodyLimit }, async (request, reply) => {
          const { caller, method, url, headers, params } = request;
          const language = responseLanguageOf(request);
          const describe: ImportOptions['describe'] = (error) => {
            const { code, field, words } = server.errorFormatter.contentFor(error, url);
            return { code, ...(field !== undefined && { field }), problem: words[language] };
          };
          try {
            // The query is checked before the file is read. Options in the form arrive together with the file.
            readQuery(importQuery, request.query);
            const event = await changeableEvent(db, caller, params.id);
            await using sent = await received(request, uploads);
            await request.checkAgain?.();
            const { file, formFields } = sent;
            const {
              dry_run,
              on_problem,
              keep_names,
              mapping,
              doubles,
              mends,
              family_size,
              sheets,
              tags_from,
            } = readQuery(importQuery, { ...request.query, ...formFields });
            const options: ImportOptions = {
              onProblem: on_problem,
              decisions: {
                duplicate: doubles.decide,
                familySize: family_size.sizeOf,
                skips: doubles.skips,
              },
              describe,
              language,
            };
            using _place = await placeFor(caller.id, reply);
            const table = await readTable(file.path, {
              mapping,
              questions: questionColumns(await listQuestions(db, event.id)),
              corrections: mends,
              sheets,
              tagsFrom: tags_from,
              keepsNames: keep_names,
            });
            if (table.lists.every((list) => list.left)) {
              const body = { import: importReportOf([], table, options, dry_run) };
              throw new Refusal(400, 'no_name_column', messages.noNameColumn, { body });
            }
            const refs = table.rows.map((row) => table.referenceOf(row));
            refuseUnknownRows('doubles', doubles.named, refs);
            refuseUnknownRows('family_size', family_size.named, refs);
            const contents = [file.sha256, formFields];
            if (dry_run) {
              const report = await dryRunImport(db, event.id, table, options, clock());
              const done = { status: 200, about: event.id, body: { import: report } };
              return await transactOnce(
                request,
                reply,
                alreadyAdmitted(caller.id),
                async () => done,
                contents,
              );
            }
            const own = { caller, params, method, url, headers };
            return await importGuests(
              {
                db,
                eventId: event.id,
                clock,
                change: (work) => writer.change(own, reply, work, contents),
                changeEarly: (writeEarly, work) => writer.changeEarly(own, reply, writeEarly, work, contents),
              },
              table,
              options,
            );
          } catch (error) {
            throw refusalOf(error);
          }
        });
      }
    });
  });
}

interface Sent extends AsyncDisposable {
  file: SpooledFile;
  /** Options of the import that the upload form contains. */
  formFields: Readonly<Record<string, unknown>>;
}

async function received(request: FastifyRequest, { spool }: Uploads): Promise<Sent> {
  if (!request.isMultipart()) {
    const body = request.body as Readable | undefined;
    if (!body) throw new Refusal(400, 'no_file', messages.noFile);
    return sent(await spool(body, SHEET_LIMITS.fileBytes), {});
  }
  const formFields: Record<string, unknown> = {};
  let file: SpooledFile | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') formFields[part.fieldname] = part.value;
      else {
        file = await spool(part.file, SHEET_LIMITS.fileBytes);
        if (part.file.truncated) throw new FileTooLarge();
      }
    }
    refuseUnknown(['file', ...Object.keys(formOptions)], formFields);
  } catch (error) {
    await file?.[Symbol.asyncDispose]();
    throw isOfTheForm(error) ? new Refusal(400, 'malformed_form', messages.malformedForm) : error;
  }
  if (!file) throw new Refusal(400, 'no_file', messages.noFile);
  return sent(file, formFields);
}

function sent(file: SpooledFile, formFields: Sent['formFields']): Sent {
  return { file, formFields, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

/**
 * True for errors of the form parser: no valid form, a form cut off, or two files. Errors of the disk have a system
 * error code.
 */
function isOfTheForm(error: unknown): boolean {
  if (error instanceof FileTooLarge || error instanceof FieldProblem) return false;
  const { code } = error as { code?: string };
  return code === undefined || code.startsWith('FST_');
}

function refusalOf(error: unknown): unknown {
  if (error instanceof FileTooLarge) {
    // The connection is closed after a file that is too large: the rest of the request's body is not read.
    return new Refusal(413, 'too_large', messages.fileTooLarge, { headers: { connection: 'close' } });
  }
  if (!(error instanceof SheetProblem)) return error;
  return new Refusal(400, 'unreadable_file', messages.unreadable[error.complaint]);
}
