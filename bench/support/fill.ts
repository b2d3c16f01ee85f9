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

/** SQL that creates previews, each of its own application, that sleep because nobody visits them. */
export function fillSleepingSites(sites: number): string {
  return `
    insert into users (account_id, user_id, email, registered_at, asked_at)
      values (gen_random_uuid(), gen_random_uuid(), 'owner@example.com', now(), now());
    create temporary table new_sites as
      select n, gen_random_uuid() as application, gen_random_uuid() as environment, gen_random_uuid() as build,
        gen_random_uuid() as release, gen_random_uuid() as deployment
      from generate_series(1, ${sites}) n;
    insert into applications (application_uuid, owner_id, name, repository, hook_secret_sealed, created_at, last_updated)
      select application, account_id, 'site-' || n, 'https://example.com/site', '', now(), now() from new_sites, users;
    insert into environments (environment_id, application_uuid, name, subdomain, status, deployed_at)
      select environment, application, 'change', 'change-' || n, 'asleep', now() from new_sites;
    insert into previews (environment_id, application_uuid, branch, created_at, last_updated, visited_at)
      select environment, application, 'change', now(), now(), now() from new_sites;
    insert into builds (build_id, application_uuid, fingerprint, recipe, artifact, built_at)
      select build, application, sha256('build'), '{"kind": "server", "steps": [], "publish": []}',
        '{"kind": "folder"}', now() from new_sites;
    insert into releases (release_id, application_uuid, build_id, fingerprint, commit_hash, commit_message, plan, made_at)
      select release, application, build, sha256('release'), repeat('0', 40), 'Change', '{"processes": {"web": ""}}', now()
      from new_sites;
    insert into deployments (deployment_uuid, application_uuid, environment_id, action, status, release_id, history)
      select deployment, application, environment, 'deploy', 'live', release, '[]' from new_sites;
    insert into sites (environment_id, deployment_uuid, variables_sealed, state, changed_at)
      select environment, deployment, '', 'asleep', now() from new_sites;`;
}
