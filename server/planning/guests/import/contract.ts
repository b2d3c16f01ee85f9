import { type Static, type TSchema, Type } from 'typebox';
import { flag } from '../../../kernel/asks.ts';
import { errorAnswer, exampleError } from '../../../kernel/http/error-answers.ts';
import { queryOf } from '../../../kernel/http/resource.ts';
import { oneOf, ref, uuid } from '../../../kernel/http/shapes.ts';
import { EventError, eventParam, ofEvent, organizer } from '../../events/area.ts';
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
  problem: Type.Optional(
    Type.String({
      description: 'Why it is refused: in Hebrew, or as `Accept-Language` prefers in Arabic or English.',
    }),
  ),
  code: Type.Optional(Type.String({ description: 'The same for machines.' })),
  field: Type.Optional(Type.String({ description: 'What it is about, where it is about one field.' })),
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

export const ImportRefusal = Type.Object(
  { ...EventError.properties, import: Type.Optional(ref(ImportReport)) },
  { $id: 'ImportRefusal' },
);
const REFUSED = 'The file can’t be read, or rows of it are refused: then `import` says which and why.';

const headings = Object.values(COLUMNS)
  .map(({ headings: { hebrew, english } }) => `${hebrew[0]} / ${english[0]}`)
  .join(', ');
const binary = { schema: { type: 'string', format: 'binary' } };

const REPORT = Type.Object(
  { import: ref(ImportReport) },
  { title: 'ImportAnswer', description: 'What became, or would become, of each row.' },
);
const fileAs = (type: string) => Type.Unsafe({ content: { [type]: binary } });

export const importQuery = { dry_run: flag('Only say what would become of each row.') };

const importRoute = (operationId: string, summary: string, description: string, body: TSchema) => {
  const route = organizer.post({
    tags: ['guests'],
    operationId,
    summary,
    description,
    params: eventParam,
    querystring: queryOf(importQuery),
    body,
    response: { 200: REPORT },
    errors: ofEvent,
  });
  return {
    ...route,
    errors: {
      ...route.errors,
      400: errorAnswer(
        'ImportRefused',
        REFUSED,
        ImportRefusal,
        exampleError('rows_refused', messages.rowsRefused(1), 'he'),
      ),
      413: errorAnswer(
        'FileTooLarge',
        'The file is larger than 20 MiB.',
        EventError,
        exampleError('too_large', messages.fileTooLarge, 'he'),
      ),
      415: errorAnswer(
        'WrongFileType',
        'The file is not sent as CSV or XLSX.',
        EventError,
        exampleError('wrong_content_type', messages.wrongFileType, 'he'),
      ),
    },
  };
};

export const importSchema = importRoute(
  'importGuests',
  'Import guests from a CSV or XLSX file in a form',
  'The file is the field `file`, or the body itself, as under `/csv` and `/xlsx`; what it is, its first bytes say. ' +
    'CSV in UTF-8, UTF-16 or windows-1255, delimited by comma, ' +
    'semicolon or tab. Headings in Hebrew or English, in any order; other columns are ignored: ' +
    `${headings}. A row with the phone or email of a guest updates that guest, and its empty cells change nothing. ` +
    'All rows or none: one that is refused keeps all from being written. At most 20 MiB and 50,000 rows.',
  Type.Unsafe({
    content: {
      'multipart/form-data': {
        schema: {
          title: 'GuestFile',
          type: 'object',
          required: ['file'],
          properties: { file: { type: 'string', format: 'binary' } },
        },
      },
    },
  }),
);

const AS_A_BODY = 'As with a form; the file is the body.';
export const importCsvSchema = importRoute(
  'importGuestsFromCsv',
  'Import guests from CSV',
  AS_A_BODY,
  fileAs('text/csv'),
);
export const importXlsxSchema = importRoute(
  'importGuestsFromXlsx',
  'Import guests from XLSX',
  AS_A_BODY,
  fileAs(XLSX_TYPE),
);
