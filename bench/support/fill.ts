import type pg from 'pg';

/** Creates `events` events of an organizer with `guests` guests each; returns their ids. */
export async function fillEvents(
  pool: pg.Pool,
  organizer: string,
  events: number,
  guests: number,
): Promise<string[]> {
  const { rows } = await pool.query(
    `insert into events (id, organizer_id, title, event_date, venue_name, created_at, updated_at)
     select gen_random_uuid(), $1, 'אירוע ' || n, now() + n * interval '1 hour', 'עדן', now(), now()
     from generate_series(1, $2::int) n returning id`,
    [organizer, events],
  );
  if (guests > 0)
    await addGuests(pool, `(select id from events where organizer_id = '${organizer}')`, events * guests);
  return rows.map(({ id }) => id);
}

/** Spreads `total` new guests evenly over events. `eventIds` is the SQL that selects the events' ids. */
export async function addGuests(pool: pg.Pool, eventIds: string, total: number): Promise<void> {
  await pool.query(
    `with of as (select id, row_number() over () - 1 as place, count(*) over () as many from ${eventIds} one)
     insert into guests (id, event_id, name, rsvp_status, created_at, updated_at)
     select gen_random_uuid(), of.id, 'אורח ' || n, (array['confirmed', 'pending', 'declined'])[1 + n % 3], now(), now()
     from generate_series(0, $1::int - 1) n join of on of.place = n % of.many`,
    [total],
  );
}
