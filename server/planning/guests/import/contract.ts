import { type Static, type TSchema, Type } from 'typebox';
import { errorAnswer, exampleError } from '../../../kernel/http/error-answers.ts';
import { queryOf } from '../../../kernel/http/resource.ts';
import {
  enumOrNullSchema,
  enumSchema,
  orNullSchema,
  schemaRef,
  uuidSchema,
} from '../../../kernel/http/shapes.ts';
import { flag, oneOfOr } from '../../../kernel/query-types.ts';
import { EventError, eventErrors, eventParam, organizerFrames, warningOf } from '../../events/area.ts';
import { GUEST_WARNINGS } from '../contract.ts';
import { messages } from '../messages.ts';
import { correctionsOption, duplicatesOption, mappingOption } from './fields.ts';
import { COLUMNS, type Column, MAPPED } from './headings.ts';
import { LEFT_BECAUSE } from './layout.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const ODS_TYPE = 'application/vnd.oasis.opendocument.spreadsheet';

export const ImportWarning = warningOf(
  'ImportWarning',
  [...GUEST_WARNINGS, 'unread'],
  'As of a guest. `unread`: cells of the row can’t be read, as there is an error in them, or a formula without its value.',
);

const ImportRowSchema = Type.Object({
  row: Type.Integer({ description: 'As the spreadsheet counts.' }),
  action: enumSchema(['create', 'update', 'keep', 'refuse', 'ask', 'skip'], {
    description:
      '`keep`: a guest who is there already, and nothing differs. `ask`: somebody who may be there already: `doubles` decides.',
  }),
  name: Type.String(),
  guest_id: Type.Optional(uuidSchema()),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'What an update changes.' })),
  looks_like: Type.Optional(
    Type.Object(
      { name: Type.String(), guest_id: Type.Optional(uuidSchema()), row: Type.Optional(Type.Integer()) },
      { description: 'The guest, or the row above, who may be the same.' },
    ),
  ),
  warning: Type.Optional(schemaRef(ImportWarning)),
  problem: Type.Optional(
    Type.String({
      description:
        'Why it is refused or asked about: in Hebrew, or as `Accept-Language` prefers in Arabic or English.',
    }),
  ),
  code: Type.Optional(Type.String({ description: 'The same for machines.' })),
  field: Type.Optional(Type.String({ description: 'What it is about, where it is about one field.' })),
  cells: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Of a row that is refused or asked about what stands in its columns that are read, by their letters, for `mends`. ' +
        'Without cells of more than 1,000 characters, past 2 million in all without those of further rows, and with ' +
        '`on_problem=skip` in `to_mend` instead.',
    }),
  ),
});
export type ImportRow = Static<typeof ImportRowSchema>;

const ImportColumn = Type.Object({
  column: Type.String({ description: 'Its letters, `B`.' }),
  heading: Type.String(),
  field: enumOrNullSchema(MAPPED, { description: 'null: left out.' }),
  question: Type.Optional(Type.String({ description: 'The event’s question that is answered in it.' })),
  samples: Type.Array(Type.String(), { description: 'Some of what stands in it.' }),
  left: Type.Optional(
    enumSchema(LEFT_BECAUSE, { description: 'Why it is left out although it is called like a field.' }),
  ),
  left_because: Type.Optional(Type.String({ description: 'The same for people.' })),
});

export const ImportReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Integer({
      description: 'When it or `asked` is not 0, nothing was written, unless `on_problem` is `skip`.',
    }),
    asked: Type.Integer({ description: 'Rows that `doubles` has to decide on.' }),
    skipped: Type.Integer({ description: 'By `doubles`.' }),
    headings_row: orNullSchema<number>({ type: 'integer', description: 'null: the file has none.' }),
    columns: Type.Array(ImportColumn, { description: 'How the file was read.' }),
    mapping: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'The same as a `mapping` to send, changed or as it is. Columns of questions go by their headings and are not in it.',
    }),
    ignored_columns: Type.Array(Type.String(), { description: 'Headings of the columns left out.' }),
    rows: Type.Array(ImportRowSchema),
    to_mend: Type.Optional(
      Type.Object(
        { name: Type.String(), content: Type.String({ description: 'CSV.' }) },
        {
          description:
            'With `on_problem=skip`: the rows that were not taken as a file, with what is wrong in its last column; ' +
            'past 20 million characters the import is refused (`too_much_to_mend`).',
        },
      ),
    ),
  },
  { $id: 'ImportReport' },
);
export type ImportReport = Static<typeof ImportReport>;

export const ImportRefusal = Type.Object(
  { ...EventError.properties, import: Type.Optional(schemaRef(ImportReport)) },
  { $id: 'ImportRefusal' },
);
const REFUSED =
  'The file can’t be read, rows of it are refused or asked about, or it has no column of names: then `import` says which and why.';

const headings = Object.values<Pick<(typeof COLUMNS)[Column], 'headings'>>(COLUMNS)
  .map(({ headings: { hebrew, arabic, english } }) => `${hebrew[0]} / ${arabic[0]} / ${english[0]}`)
  .join(', ');
const binary = { schema: { type: 'string', format: 'binary' } };

const REPORT = Type.Object(
  { import: schemaRef(ImportReport) },
  { title: 'ImportAnswer', description: 'What became, or would become, of each row.' },
);
const fileAs = (type: string) => Type.Unsafe({ content: { [type]: binary } });

/** Options that a form can also have beside the file. */
export const formOptions = { mapping: mappingOption, doubles: duplicatesOption, mends: correctionsOption };
export const importQuery = {
  dry_run: flag('Only say what would become of each row.'),
  on_problem: oneOfOr(
    ['refuse', 'skip'],
    'refuse',
    '`refuse`: all rows or none. `skip`: those that can be taken; the others come back in `to_mend`.',
  ),
  ...formOptions,
};

const importRoute = (operationId: string, summary: string, description: string, body: TSchema) => {
  const route = organizerFrames.post({
    tags: ['guests'],
    operationId,
    summary,
    description,
    params: eventParam,
    querystring: queryOf(importQuery),
    body,
    response: { 200: REPORT },
    errors: eventErrors,
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
        'The file is not sent as CSV, XLSX or ODS.',
        EventError,
        exampleError('wrong_content_type', messages.wrongFileType, 'he'),
      ),
    },
  };
};

export const importSchema = importRoute(
  'importGuests',
  'Import guests from a CSV, XLSX or ODS file in a form',
  'The file is the field `file`, or the body itself, as under `/csv`, `/xlsx` and `/ods`; what it is, its first bytes say. ' +
    'CSV in UTF-8, UTF-16 or windows-1255, delimited by comma, semicolon or tab. Headings in Hebrew, Arabic or English ' +
    `within the first 20 rows, in any order; other columns are left out: ${headings}. \`mapping\` says of columns what ` +
    'they are. A column that is called like one of the event’s questions answers it. A row with the id, phone or email of a guest updates that guest, and its empty cells change nothing. ' +
    'A form may have `mapping`, `doubles` and `mends` beside the file, too. At most 20 MiB, 50,000 rows and ' +
    '20 million characters, 200,000 in a row; each repetition counts.',
  Type.Unsafe({
    content: {
      'multipart/form-data': {
        schema: {
          title: 'GuestFile',
          type: 'object',
          required: ['file'],
          properties: {
            file: { type: 'string', format: 'binary' },
            ...Object.fromEntries(Object.entries(formOptions).map(([name, { schema }]) => [name, schema])),
          },
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
export const importOdsSchema = importRoute(
  'importGuestsFromOds',
  'Import guests from ODS',
  AS_A_BODY,
  fileAs(ODS_TYPE),
);
