import { type Static, Type } from 'typebox';
import { errorAnswer, exampleError } from '../../../kernel/http/error-answers.ts';
import { oneOf, ref, uuid } from '../../../kernel/http/shapes.ts';
import { idempotencyHeader } from '../../../kernel/writes/idempotency.ts';
import { EventError, headersOf, ofWritableEvent, postErrors } from '../../events/area.ts';
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

export const ImportRefusal = Type.Object(
  { ...EventError.properties, import: Type.Optional(ref(ImportReport)) },
  { $id: 'ImportRefusal' },
);
const REFUSED = 'The file can’t be read, or rows of it are refused: then `import` says which and why.';

const headings = Object.values(COLUMNS)
  .map(({ headings: { hebrew, english } }) => `${hebrew[0]} / ${english[0]}`)
  .join(', ');
const binary = { schema: { type: 'string', format: 'binary' } };

const importRoute = {
  ...common,
  params: eventParams,
  headers: headersOf(idempotencyHeader),
  querystring: Type.Object({
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Only say what would become of each row.' }),
    ),
  }),
  response: {
    200: Type.Object(
      { import: ref(ImportReport) },
      { description: 'What became, or would become, of each row.' },
    ),
  },
  errors: {
    ...postErrors(ofWritableEvent),
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
const fileAs = (type: string) => Type.Unsafe({ content: { [type]: binary } });

export const importSchema = {
  ...importRoute,
  operationId: 'importGuests',
  summary: 'Import guests from a CSV or XLSX file in a form',
  description:
    'The file is the field `file`, or the body itself, as under `/csv` and `/xlsx`; what it is, its first bytes say. ' +
    'CSV in UTF-8, UTF-16 or windows-1255, delimited by comma, ' +
    'semicolon or tab. Headings in Hebrew or English, in any order; other columns are ignored: ' +
    `${headings}. A row with the phone or email of a guest updates that guest, and its empty cells change nothing. ` +
    'All rows or none: one that is refused keeps all from being written. At most 20 MiB and 50,000 rows.',
  body: Type.Unsafe({
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
};

export const importCsvSchema = {
  ...importRoute,
  operationId: 'importGuestsFromCsv',
  summary: 'Import guests from CSV',
  description: 'As with a form; the file is the body.',
  body: fileAs('text/csv'),
};

export const importXlsxSchema = {
  ...importRoute,
  operationId: 'importGuestsFromXlsx',
  summary: 'Import guests from XLSX',
  description: 'As with a form; the file is the body.',
  body: fileAs(XLSX_TYPE),
};
