import { type Static, Type } from 'typebox';
import { oneOf, ref, uuid } from '../../../kernel/http/shapes.ts';
import { idempotencyHeader } from '../../../kernel/writes/idempotency.ts';
import { headersOf, ofWritableEvent, postErrors } from '../../events/area.ts';
import { common, eventParams } from '../contract.ts';
import { messages } from '../messages.ts';
import { COLUMNS } from './headings.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const ImportRowSchema = Type.Object({
  row: Type.Integer({ description: 'As the spreadsheet counts: the headings are row 1.' }),
  action: oneOf(['create', 'update', 'keep', 'refuse'], {
    description: '`keep`: a guest who is there already, and nothing differs.',
  }),
  name: Type.String(),
  guest_id: Type.Optional(uuid()),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'What an update changes.' })),
  problem: Type.Optional(Type.String({ description: 'Why it is refused, in Hebrew.' })),
});
export type ImportRow = Static<typeof ImportRowSchema>;

export const ImportReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Integer({ description: 'When it is not 0, nothing was written.' }),
    ignored_columns: Type.Array(Type.String(), { description: 'Headings that name nothing we keep.' }),
    rows: Type.Array(ImportRowSchema),
  },
  { $id: 'ImportReport' },
);
export type ImportReport = Static<typeof ImportReport>;

const headings = Object.values(COLUMNS)
  .map(({ hebrew: [hebrew], english: [english] }) => `${hebrew} / ${english}`)
  .join(', ');
const binary = { schema: { type: 'string', format: 'binary' } };

export const importSchema = {
  ...common,
  operationId: 'importGuests',
  summary: 'Import guests from CSV or XLSX',
  description:
    'The file as the body, or as the field `file` of a form. CSV in UTF-8, UTF-16 or windows-1255, delimited by comma, ' +
    'semicolon or tab. Headings in Hebrew or English, in any order; other columns are ignored: ' +
    `${headings}. A row with the phone or email of a guest updates that guest, and its empty cells change nothing. ` +
    'All rows or none: one that is refused keeps all from being written. At most 20 MiB and 50,000 rows.',
  params: eventParams,
  headers: headersOf(idempotencyHeader),
  querystring: Type.Object({
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Only say what would become of each row.' }),
    ),
  }),
  body: Type.Unsafe({
    content: {
      'text/csv': binary,
      [XLSX_TYPE]: binary,
      'multipart/form-data': {
        schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
      },
    },
  }),
  response: {
    200: Type.Object(
      { import: ref(ImportReport) },
      { description: 'What became, or would become, of each row.' },
    ),
    ...postErrors({ ...ofWritableEvent, 413: messages.fileTooLarge, 415: messages.wrongFileType }),
    400: Type.Unsafe({
      description: 'The file can’t be read, or rows of it are refused: then `import` says which and why.',
      content: {
        'application/json': {
          schema: Type.Object({ error: Type.String(), import: Type.Optional(ref(ImportReport)) }),
          example: { error: messages.rowsRefused(1) },
        },
      },
    }),
  },
};
