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
import {
  correctionsOption,
  duplicatesOption,
  familySizeOption,
  mappingOption,
  sheetsOption,
  tagsFromOption,
} from './fields.ts';
import { LEFT_BECAUSE, LIST_LEFT_BECAUSE } from './guest-list.ts';
import { COLUMNS, type Column, MAPPED } from './headings.ts';
import { ROW_LEFT_BECAUSE } from './not-guests.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const ODS_TYPE = 'application/vnd.oasis.opendocument.spreadsheet';

export const ImportWarning = warningOf(
  'ImportWarning',
  [...GUEST_WARNINGS, 'unread'],
  'As for a guest. `unread`: cells of the row can’t be read, because they have an error or a formula without a stored value.',
);

const ImportRowSchema = Type.Object({
  row: Type.Integer({ description: 'Row number in the spreadsheet.' }),
  ref: Type.String({
    description:
      'Reference of the row for `doubles`, `mends` and `family_size`: its number, such as `12`; with the column where the list ' +
      'begins if lists stand side by side, `D12`; with the sheet if the file has several, `Groom!12`.',
  }),
  list: Type.Integer({ description: 'Index of the row’s list in `lists`.' }),
  action: enumSchema(['create', 'update', 'keep', 'refuse', 'ask', 'skip'], {
    description:
      '`keep`: the guest is on the list and nothing differs. `ask`: a possible duplicate, about which `doubles` decides, or ' +
      '(`how_many`) a family without a number of people, which `family_size` tells.',
  }),
  name: Type.String(),
  party_size: Type.Optional(
    Type.Integer({
      description:
        'Number of people invited, as it will be on the list; of a row that needs a decision, as the file has it. Left out ' +
        'for a skipped row, and while it is not known.',
    }),
  ),
  guest_id: Type.Optional(uuidSchema()),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'Fields that an update changes.' })),
  looks_like: Type.Optional(
    Type.Object(
      { name: Type.String(), guest_id: Type.Optional(uuidSchema()), ref: Type.Optional(Type.String()) },
      { description: 'Guest or earlier row that may be the same person.' },
    ),
  ),
  new_name: Type.Optional(Type.String({ description: 'Name that an update gives the guest.' })),
  from_name: Type.Optional(
    Type.Object(
      { written: Type.String(), party_size: Type.Integer() },
      {
        description:
          'Number of people read from the name, where the row has no other, and the name as the file has it. `keep_names` ' +
          'leaves names as they are.',
      },
    ),
  ),
  family_size: Type.Optional(
    Type.Integer({ description: 'Number of people that the option `family_size` gave.' }),
  ),
  warning: Type.Optional(schemaRef(ImportWarning)),
  problem: Type.Optional(
    Type.String({
      description:
        'Reason why the row is refused or needs a decision, in Hebrew or, by `Accept-Language`, in Arabic or English.',
    }),
  ),
  code: Type.Optional(Type.String({ description: 'Code of the reason.' })),
  field: Type.Optional(Type.String({ description: 'Field that the reason is about, if it is about one.' })),
  cells: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Cells of a row that is refused or needs a decision, by column letters. Cells of more than 1,000 characters are left ' +
        'out, as are further rows after 2 million characters. With `on_problem=skip` the rows are in `to_mend` instead.',
    }),
  ),
});
export type ImportRow = Static<typeof ImportRowSchema>;

const ImportColumn = Type.Object({
  column: Type.String({ description: 'Letters of the column, such as `B`.' }),
  key: Type.String({
    description:
      'Key of the column in `mapping`: its letters; with the sheet if the file has several, `Groom!B`.',
  }),
  heading: Type.String(),
  field: enumOrNullSchema(MAPPED, { description: 'null: the column is left out.' }),
  question: Type.Optional(
    Type.String({ description: 'Id of the event’s question that the column answers.' }),
  ),
  samples: Type.Array(Type.String(), { description: 'A few of its values.' }),
  left: Type.Optional(
    enumSchema(LEFT_BECAUSE, {
      description: 'Reason why the column is left out, unless its heading is unknown.',
    }),
  ),
  left_because: Type.Optional(Type.String({ description: 'The reason as a sentence.' })),
});

const ImportList = Type.Object({
  sheet: Type.String({ description: 'Name of the sheet; empty for a CSV file.' }),
  headings_row: orNullSchema<number>({ type: 'integer', description: 'null: the list has none.' }),
  title: Type.Optional(Type.String({ description: 'Title above a list that stands beside others.' })),
  columns: Type.Array(ImportColumn, { description: 'How the columns were read.' }),
  rows: Type.Integer({ description: 'Number of rows with guests.' }),
  sections: Type.Array(Type.String(), { description: 'Titles within the list.' }),
  left: Type.Optional(
    enumSchema(LIST_LEFT_BECAUSE, {
      description:
        'Reason why the list is left out. `other_content`: its sheet’s name says that it has no guests, such as a budget.',
    }),
  ),
  left_because: Type.Optional(Type.String({ description: 'The reason as a sentence.' })),
});

const LeftRowSchema = Type.Object({
  row: Type.Integer(),
  ref: Type.String({
    description:
      'Reference of the row. A correction (`mends`), even an empty one such as `{"12":{}}`, takes it as a guest.',
  }),
  list: Type.Integer({ description: 'Index of the row’s list in `lists`.' }),
  left: enumSchema(ROW_LEFT_BECAUSE, { description: 'Reason why the row is no guest.' }),
  left_because: Type.String({ description: 'The reason in words.' }),
  text: Type.String(),
});

export const ImportReport = Type.Object(
  {
    dry_run: Type.Boolean(),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Integer({
      description: 'If this or `asked` is not 0, nothing was written, unless `on_problem` is `skip`.',
    }),
    asked: Type.Integer({ description: 'Rows that need a decision (`doubles`).' }),
    skipped: Type.Integer({ description: 'Rows skipped by a decision (`doubles`).' }),
    lists: Type.Array(ImportList, {
      description: 'Lists in the file: each sheet, or several side by side in one sheet.',
    }),
    left_rows: Type.Array(LeftRowSchema, {
      description: 'Rows within the lists that are no guests; at most 200.',
    }),
    mapping: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'The columns as a `mapping` to send, changed or unchanged. Columns of questions are found by their headings and are not in it.',
    }),
    ignored_columns: Type.Array(Type.String(), { description: 'Headings of the columns left out.' }),
    rows: Type.Array(ImportRowSchema),
    to_mend: Type.Optional(
      Type.Object(
        { name: Type.String(), content: Type.String({ description: 'CSV.' }) },
        {
          description:
            'With `on_problem=skip`: the rows that were not imported, as a file with the reasons in its last column. ' +
            'Beyond 20 million characters the import is refused (`too_much_to_mend`).',
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
  'The file can’t be read, rows are refused or need a decision, or there is no column of names; `import` tells which and why.';

const headings = Object.values<Pick<(typeof COLUMNS)[Column], 'headings'>>(COLUMNS)
  .map(({ headings: { hebrew, arabic, english } }) => `${hebrew[0]} / ${arabic[0]} / ${english[0]}`)
  .join(', ');
const binary = { schema: { type: 'string', format: 'binary' } };

const REPORT = Type.Object(
  { import: schemaRef(ImportReport) },
  { title: 'ImportAnswer', description: 'Result of each row, or what it would be.' },
);
const fileAs = (type: string) => Type.Unsafe({ content: { [type]: binary } });

/** Options of an import that can also be fields of the upload form, beside the file. */
export const formOptions = {
  mapping: mappingOption,
  doubles: duplicatesOption,
  mends: correctionsOption,
  family_size: familySizeOption,
  sheets: sheetsOption,
  tags_from: tagsFromOption,
};
export const importQuery = {
  dry_run: flag('Writes nothing; the report tells what would become of each row.'),
  on_problem: oneOfOr(
    ['refuse', 'skip'],
    'refuse',
    '`refuse`: imports all rows or none. `skip`: imports the rows without a problem; the others come back in `to_mend`.',
  ),
  keep_names: flag('Leaves names as the file has them: no number of people is read from `Cohen family + 2`.'),
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
        'The file is not sent as CSV, XLSX, ODS or vCard.',
        EventError,
        exampleError('wrong_content_type', messages.wrongFileType, 'he'),
      ),
    },
  };
};

export const importSchema = importRoute(
  'importGuests',
  'Import guests from a CSV, XLSX, ODS or vCard file in a form',
  'The file is the field `file`, or the body itself as under `/csv`, `/xlsx` and `/ods`; its format is detected by its first ' +
    'bytes. CSV can be in UTF-8, UTF-16 or windows-1255, delimited by comma, semicolon or tab. The headings, in Hebrew, ' +
    `Arabic or English, are within the first 20 rows and in any order; other columns are left out: ${headings}. ` +
    '`mapping` assigns fields to columns. All sheets with guests are read, and lists that stand side by side. A column with ' +
    'the text of one of the event’s questions answers it. A row with ' +
    'the id, phone or email of a guest updates that guest; its empty cells change nothing. The form may also have the ' +
    'options. At most 20 MiB, 50,000 rows and 20 million characters, 200,000 in one row; ' +
    'repeated cells count each time.',
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

const AS_A_BODY = 'Like the import from a form; the file is the body.';
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
