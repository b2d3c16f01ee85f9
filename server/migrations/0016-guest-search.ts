import { type Kysely, sql } from 'kysely';

/**
 * Forms of a guest's name for order and search are computed only when the names or phone numbers change. PostgreSQL
 * computes generated columns at every update of a table that has a trigger before updates, an answer's too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table guests
      alter column search drop expression,
      alter column search_words drop expression,
      alter column search_joined drop expression,
      alter column name_key drop expression,
      alter column member_words drop expression,
      alter column member_joined drop expression`.execute(db);
  await sql`
    create function fill_guest_search() returns trigger language plpgsql set search_path from current as $$
    begin
      new.search := guest_search_form(new.name);
      new.search_words := guest_search_words(new.name, array_prepend(new.phone, new.other_phones));
      new.search_joined := guest_search_joined(new.name);
      new.name_key := guest_name_key(new.name);
      new.member_words := guest_member_words(new.members);
      new.member_joined := guest_member_joined(new.members);
      return new;
    end $$`.execute(db);
  await sql`
    create trigger guests_search_insert before insert on guests
    for each row execute function fill_guest_search()`.execute(db);
  await sql`
    create trigger guests_search_update before update on guests
    for each row when (
      row(new.name, new.phone, new.other_phones, new.members)
        is distinct from row(old.name, old.phone, old.other_phones, old.members)
    ) execute function fill_guest_search()`.execute(db);
}
