import { type Kysely, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { textInLanguage } from '../../kernel/field-types.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { hasChildrenQuestion } from '../answers/store.ts';
import type { GuestReader } from '../events/access.ts';
import type { KASHRUT_LEVELS } from '../events/fields.ts';
import { EVENT_TITLE } from '../events/title.ts';
import { DIETS, type Diet, type Member } from '../guests/fields.ts';
import type { GuestFilter } from '../guests/filter.ts';
import { CHILDREN_COMING, countedMeals, countMeals } from '../guests/meals.ts';
import { filterCondition, HAS_ALLERGIES } from '../guests/store.ts';
import { COUNT_COLUMNS, countsByTag, IS_COMING, MOST_GUESTS_FIRST, PEOPLE_COMING } from '../guests/tags.ts';
import { listQuestions } from '../questions/store.ts';
import {
  type AnswerDay,
  type GuestNumbers,
  MOST_ANSWER_DAYS,
  MOST_COUNTED_TAGS,
  STANDINGS,
} from './contract.ts';

const meals = sql.join(DIETS.map((diet) => sql`${countedMeals(diet)} as ${sql.ref(diet)}`));

/** Guests' answers counted by the day on which they were given. A changed answer counts with its present value. */
export async function listAnswerDays(db: Kysely<unknown>, eventId: string): Promise<AnswerDay[]> {
  const { rows } = await sql<AnswerDay>`
    select * from (
      select to_char(answered_at at time zone ${DEFAULT_ZONE}, 'YYYY-MM-DD') as day,
        (count(*) filter (where rsvp_status = 'confirmed'))::integer as confirmed,
        coalesce(sum(greatest(coming, 1)) filter (where rsvp_status = 'confirmed'), 0)::integer as people,
        (count(*) filter (where maybe))::integer as maybe,
        (count(*) filter (where waiting_order is not null))::integer as waiting,
        (count(*) filter (where rsvp_status = 'declined'))::integer as declined
      from guests where event_id = ${eventId} and answered_at is not null
      group by day order by day desc limit ${MOST_ANSWER_DAYS}
    ) latest order by day`.execute(db);
  return rows;
}

type Counted = Omit<GuestNumbers, 'tags' | 'questions' | 'meals' | 'adults'> &
  Record<Diet | 'regular', number>;

interface Found {
  total: Counted;
  tags: (Counted & { tag: string | null })[];
  answers: { question: string; value: string | number | null; guests: number; people: number }[];
}

/** SQL for the people invited by the answers of their guests, as JSON. */
const INVITED_BY_ANSWER = sql`json_build_object(${sql.join(
  STANDINGS.map(
    (stands) =>
      sql`${sql.lit(stands)}::text, coalesce(sum(party_size) filter (where stands = ${sql.lit(stands)}), 0)::integer`,
  ),
)})`;

const SUMMED = sql`
  ${COUNT_COLUMNS}, coalesce(sum(children), 0)::integer as children,
  count(*) filter (where stands = 'confirmed')::integer as confirmed,
  count(*) filter (where stands = 'pending')::integer as pending,
  count(*) filter (where stands = 'maybe')::integer as maybe,
  count(*) filter (where stands = 'waiting')::integer as waiting,
  count(*) filter (where stands = 'declined')::integer as declined,
  ${INVITED_BY_ANSWER} as invited_by_answer,
  count(*) filter (where has_allergies)::integer as allergies,
  coalesce(sum(people - (${sql.join(
    DIETS.map((diet) => sql.ref(diet)),
    sql` + `,
  )})), 0)::integer as regular,
  ${sql.join(DIETS.map((diet) => sql`coalesce(sum(${sql.ref(diet)}), 0)::integer as ${sql.ref(diet)}`))}`;

/**
 * Counts the guests that match a filter, in one pass over their rows. The questions in the result are in the event's
 * language.
 */
export async function readNumbers(
  db: Kysely<unknown>,
  reader: GuestReader,
  filter: GuestFilter,
  { language_pref }: Pick<ReportedEvent, 'language_pref'>,
): Promise<GuestNumbers> {
  const { rows } = await sql<Found>`
    with chosen as materialized (
      select guests.tags, guests.answers, guests.party_size, ${PEOPLE_COMING} as people,
        ${CHILDREN_COMING} as children,
        ${IS_COMING} and ${HAS_ALLERGIES} as has_allergies,
        case when guests.waiting_order is not null then 'waiting' when guests.maybe then 'maybe'
          else guests.rsvp_status end as stands,
        ${meals}
      from guests where ${filterCondition(reader, filter)}
    ), answered as (
      select key as question, case when questions.kind = 'text' then null else value end as value, people
      from chosen, jsonb_each(chosen.answers)
      join questions on questions.event_id = ${reader.id} and questions.id::text = key
      where stands = 'confirmed'
    )
    select
      (select row_to_json(total) from (select ${SUMMED} from chosen) total) as total,
      (select coalesce(json_agg(tagged), '[]') from (
        ${countsByTag(SUMMED, sql`chosen`)} order by ${MOST_GUESTS_FIRST} limit ${MOST_COUNTED_TAGS}
      ) tagged) as tags,
      (select coalesce(json_agg(counted), '[]') from (
        select question, value, count(*)::integer as guests, sum(people)::integer as people
        from answered group by question, value
      ) counted) as answers`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('a count returned no row');
  const questions = await listQuestions(db, reader.id);
  return {
    ...toNumbers(found.total),
    tags: found.tags.map(({ tag, ...counted }) => ({ tag, ...toNumbers(counted) })),
    questions: questions.map(({ id, kind, text, options }) => {
      const given = found.answers.filter(({ question }) => question === id);
      const words = (texts: typeof text) => textInLanguage(texts, language_pref, language_pref);
      const answered = given.reduce((sum, { guests }) => sum + guests, 0);
      const sum = given.reduce((all, { value, guests }) => all + Number(value) * guests, 0);
      const chosen = options.map((option) => {
        const { guests = 0, people = 0 } = given.find(({ value }) => value === option.id) ?? {};
        return { id: option.id, text: words(option.text), guests, people };
      });
      return {
        id,
        kind,
        text: words(text),
        answered,
        ...(kind === 'number' && { sum }),
        ...(kind === 'choice' && { options: chosen }),
      };
    }),
  };
}

function toNumbers(counted: Counted): Omit<GuestNumbers, 'tags' | 'questions'> {
  const meals = Object.fromEntries(DIETS.map((diet) => [diet, counted[diet]])) as Record<Diet, number>;
  const { guests, invited, confirmed, pending, maybe, waiting, declined, people, children, allergies } =
    counted;
  return {
    guests,
    invited,
    confirmed,
    pending,
    maybe,
    waiting,
    declined,
    invited_by_answer: counted.invited_by_answer,
    people,
    adults: people - children,
    children,
    meals: { regular: counted.regular, ...meals },
    allergies,
  };
}

/** Number of regular meals for a guest's party: one for each person without a special meal. */
export function regularMeals(people: number, meals: Readonly<Record<Diet, number>>): number {
  return people - countMeals(meals);
}

/** Facts about the event that the caterer's report shows. */
export interface ReportedEvent {
  title: string;
  event_date: Date | null;
  venue_name: string;
  venue_address: string | null;
  kashrut_level: (typeof KASHRUT_LEVELS)[number];
  language_pref: LanguageName;
  children_asked: boolean;
}

export async function readReportedEvent(db: Kysely<unknown>, eventId: string): Promise<ReportedEvent> {
  const { rows } = await sql<ReportedEvent>`
    select ${EVENT_TITLE} as title, event_date, venue_name, venue_address, kashrut_level, language_pref,
      ${hasChildrenQuestion} as children_asked
    from events left join rsvp_settings settings on settings.event_id = events.id
    where events.id = ${eventId}`.execute(db);
  if (!rows[0]) throw new Error('an event that was read is gone');
  return rows[0];
}

/** Guest who comes and has special meals or allergies. */
export interface SpecialGuest extends Readonly<Record<Diet, number>> {
  id: string;
  search: string;
  name: string;
  tags: readonly string[];
  people: number;
  children: number;
  allergies: string | null;
  members: readonly Member[];
}

const AT_ONCE = 1_000;

/** Yields, by name, all guests who come and have special meals or allergies; read in batches. */
export async function* specialGuests(db: Kysely<unknown>, eventId: string): AsyncGenerator<SpecialGuest> {
  const eats = DIETS.map((diet) => sql`${countedMeals(diet)} > 0`);
  let after: SpecialGuest | undefined;
  do {
    const { rows }: { rows: SpecialGuest[] } = await sql<SpecialGuest>`
      select guests.id, guests.search, guests.name, guests.tags, guests.allergies, ${PEOPLE_COMING} as people,
        guests.members, guests.coming_children as children,
        ${meals}
      from guests
      where guests.event_id = ${eventId} and ${IS_COMING}
        and (${HAS_ALLERGIES} or ${sql.join(eats, sql` or `)})
        ${after ? sql`and (guests.search, guests.id) > (${after.search} collate "C", ${after.id}::uuid)` : sql``}
      order by guests.search, guests.id limit ${AT_ONCE}`.execute(db);
    yield* rows;
    after = rows.length === AT_ONCE ? rows.at(-1) : undefined;
  } while (after);
}
