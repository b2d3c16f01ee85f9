import { type Kysely, sql } from 'kysely';
import { insertInto, selectColumns } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import type { Question } from './contract.ts';
import type { QuestionDraft } from './fields.ts';

type TimeField = 'created_at' | 'updated_at';
type Row = Omit<Question, TimeField> & Record<TimeField, Date> & { version: number };

export interface StoredQuestion {
  question: Question;
  version: number;
}

const shownColumns = [
  'id',
  'kind',
  'text',
  'options',
  'most',
  'asked',
  'position',
  'created_at',
  'updated_at',
];
const columns = selectColumns('questions', [...shownColumns, 'version']);

/** Reads all questions of an event, in the order in which they are asked. */
export async function listQuestions(db: Kysely<unknown>, eventId: string): Promise<Question[]> {
  const { rows } = await sql<Row>`
    select ${columns} from questions where event_id = ${eventId} order by position`.execute(db);
  return rows.map((row) => storedQuestionOf(row).question);
}

/** Finds a question of an event. A malformed id finds no question. */
export async function findQuestion(
  db: Kysely<unknown>,
  eventId: string,
  id: string,
): Promise<StoredQuestion | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<Row>`
    select ${columns} from questions where id = ${id} and event_id = ${eventId}`.execute(db);
  return rows[0] && storedQuestionOf(rows[0]);
}

/** Adds a question to a locked event: at its position if it has one, else last. */
export async function addQuestion(
  transaction: Kysely<unknown>,
  eventId: string,
  { text, options, position, ...asking }: QuestionDraft,
  now: Temporal.Instant,
): Promise<StoredQuestion> {
  const id = newId();
  const texts = { text: JSON.stringify(text), options: JSON.stringify(options) };
  const row = { id, event_id: eventId, ...asking, ...texts, position: 0, created_at: now, updated_at: now };
  await insertInto('questions', row).execute(transaction);
  await setPosition(transaction, eventId, id, position);
  return requireWritten(await findQuestion(transaction, eventId, id));
}

export async function changeQuestion(
  transaction: Kysely<unknown>,
  eventId: string,
  id: string,
  { text, options, most, asked, position }: QuestionDraft,
  now: Temporal.Instant,
): Promise<StoredQuestion> {
  await sql`
    update questions set text = ${JSON.stringify(text)}::jsonb, options = ${JSON.stringify(options)}::jsonb,
      most = ${most}, asked = ${asked}, updated_at = ${toParameter(now)}
    where id = ${id}`.execute(transaction);
  await setPosition(transaction, eventId, id, position);
  return requireWritten(await findQuestion(transaction, eventId, id));
}

/** Deletes a question with all answers to it, both of guests and of people who requested to come. */
export async function removeQuestion(
  transaction: Kysely<unknown>,
  eventId: string,
  id: string,
): Promise<void> {
  await sql`delete from questions where id = ${id}`.execute(transaction);
  await setPosition(transaction, eventId, id, null);
  for (const table of ANSWERED_IN) {
    await sql`
      update ${sql.table(table)} set answers = answers - ${id}::text
      where event_id = ${eventId} and answers ? ${id}::text`.execute(transaction);
  }
}

/** True if any guest, or anyone who requested to come, has chosen one of these options. */
export async function isOptionChosen(
  db: Kysely<unknown>,
  eventId: string,
  id: string,
  options: readonly string[],
): Promise<boolean> {
  if (options.length === 0) return false;
  const chosen = ANSWERED_IN.map(
    (table) => sql`exists (
      select from ${sql.table(table)}
      where event_id = ${eventId} and answers ->> ${id}::text = any(${options}::text[])
    )`,
  );
  const { rows } = await sql<{ chosen: boolean }>`select ${sql.join(chosen, sql` or `)} as chosen`.execute(
    db,
  );
  return rows[0]?.chosen === true;
}

/** Tables with answers to an event's questions: guests, and requests to come through the open link. */
const ANSWERED_IN = ['guests', 'guest_requests'];

/** Moves a question to its position in the event's list and renumbers the other questions. */
async function setPosition(
  transaction: Kysely<unknown>,
  eventId: string,
  id: string,
  position: number | null,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from questions where event_id = ${eventId} and id <> ${id} order by position, id`.execute(
    transaction,
  );
  const ids = rows.map((row) => row.id);
  ids.splice(position === null ? ids.length : position - 1, 0, id);
  const numbered = JSON.stringify(ids.map((one, index) => ({ id: one, number: index + 1 })));
  await sql`
    update questions set position = numbered.number
    from json_to_recordset(${numbered}::json) as numbered (id uuid, number integer)
    where questions.id = numbered.id and questions.position <> numbered.number`.execute(transaction);
}

function storedQuestionOf({ version, ...row }: Row): StoredQuestion {
  const times = { created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
  return { question: { ...row, ...times }, version };
}

function requireWritten(stored: StoredQuestion | undefined): StoredQuestion {
  if (!stored) throw new Error('a question that was written is gone');
  return stored;
}
