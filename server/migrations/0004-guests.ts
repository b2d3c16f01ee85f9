import { type Kysely, sql } from 'kysely';

/** Guests of an event: the list, deleted guests, and the erasure of their data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createGuestSearch(db);
  await createGuests(db);
  await fillGuestSearch(db);
  await createGuestIndexes(db);
  await createStagedGuests(db);
  await createDeletedGuests(db);
  await createEventRetention(db);
}

/** Signs that are left out of names, as in a regular expression of PostgreSQL. */
const REMOVED = [
  String.raw`\u0022\u0027\u002E\u0060\u05F3\u05F4\u2018-\u201F\u2032-\u2037`, // quotes, geresh, full stops
  String.raw`\u02B0-\u036F\u0483-\u0489`, // accents
  String.raw`\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7`, // niqqud
  String.raw`\u0610-\u061A\u0621\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED`, // Arabic vowel signs, hamza, tatweel
  String.raw`\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF`, // invisible signs
].join('');
/** Signs that separate words. */
const SEPARATORS = [
  String.raw`\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7`, // ASCII and Latin signs
  String.raw`\u05BE\u05C0\u05C3\u05C6`, // maqaf and other Hebrew punctuation
  String.raw`\u060C\u061B\u061F\u066A-\u066D\u06D4\u06DD\u06DE\u06E9`, // Arabic punctuation
  String.raw`\u2000-\u2BFF\u2E00-\u2E7F\u3000-\u3003\u3008-\u3020\U0001F000-\U0001FAFF`, // other punctuation, symbols, pictures
].join('');

/**
 * Forms of a guest's name and phone number for the order by name, the search and the recognition of namesakes. They are
 * the same on any PostgreSQL with any locale. Changes of spelling go into server/planning/guests/name-form.ts too. A
 * function that calls another one sets the search path: a dump is restored without one.
 */
async function createGuestSearch(db: Kysely<unknown>): Promise<void> {
  // Text by which guests are sorted. Niqqud, Arabic vowel signs and tatweel are removed; the forms of alef, ya and ta
  // marbuta become one letter each.
  await sql`
    create function guest_search_form(body text) returns text language sql immutable parallel safe as $$
      select lower(translate(
        regexp_replace(normalize(body, NFKC), '[\\u0591-\\u05C7\\u064B-\\u0652\\u0640]', '', 'g'),
        'أإآىة', 'ااايه') collate "C")
    $$`.execute(db);
  await createNameForms(db);
  // Words as they are written, words in one spelling if it differs, and the phone numbers, with a space around each.
  await sql`
    create function guest_search_words(name text, phones text[]) returns text language plpgsql immutable parallel safe
    set search_path from current as $$
    declare
      letters text := guest_name_letters(name);
      spelling text := guest_name_spelling(letters);
    begin
      return ' ' || letters || ' ' || coalesce(nullif(spelling, letters) || ' ', '') || translate(array_to_string(phones, ' '), '+', '');
    end $$`.execute(db);
  // Name without spaces and Hebrew vowel letters.
  await sql`
    create function guest_search_joined(name text) returns text language sql immutable parallel safe
    set search_path from current as $$
      select translate(guest_name_letters(name), ' וי', '')
    $$`.execute(db);
  await createMemberSearch(db);
}

/** Forms of the names of a party's members for the search, a space around each name; null if no member has a name. */
async function createMemberSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function guest_member_words(members jsonb) returns text language sql immutable parallel safe
    set search_path from current as $$
      select string_agg(guest_search_words(member ->> 'name', '{}'), '')
      from jsonb_array_elements(members) member where member ->> 'name' is not null
    $$`.execute(db);
  await sql`
    create function guest_member_joined(members jsonb) returns text language sql immutable parallel safe
    set search_path from current as $$
      select string_agg(guest_search_joined(member ->> 'name'), ' ')
      from jsonb_array_elements(members) member where member ->> 'name' is not null
    $$`.execute(db);
}

async function createNameForms(db: Kysely<unknown>): Promise<void> {
  // Words of a name without accents, vowel signs, quotes, punctuation, capitals and final letters. The long list of
  // rarer letters is used only for names that have others than Hebrew and ASCII ones: it takes most of the time.
  await sql`
    create function guest_name_letters(name text) returns text language plpgsql immutable parallel safe as $$
    declare
      letters text := left(normalize(replace(name, '´', ''), NFKD), 200);
    begin
      letters := regexp_replace(letters, '[${sql.raw(REMOVED)}]', '', 'g');
      letters := translate(letters, 'ךםןףץ', 'כמנפצ');
      if letters ~ '[^ -~א-ת]' then
        letters := replace(translate(letters,
          'װױײٱةىیک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹øØłŁđĐħĦıðÐАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЄҐ',
          'וויاهييك01234567890123456789oollddhhiddабвгдежзийклмнопрстуфхцчшщъыьэюяієґ'), 'ß', 'ss');
      end if;
      letters := regexp_replace(lower(letters collate "C"), '[${sql.raw(SEPARATORS)}]+', ' ', 'g');
      return btrim(regexp_replace(letters, '([וי])\\1+', '\\1', 'g'));
    end $$`.execute(db);
  // Words in one spelling: without the parts of a word that mean "and" and "the", and vowel letters within a word.
  await sql`
    create function guest_name_spelling(letters text) returns text language sql immutable parallel safe as $$
      select regexp_replace(regexp_replace(regexp_replace(regexp_replace(letters,
        '(^| )[וو](?=[^ ]{3})', '\\1', 'g'),
        '(^| )(?:ה(?=[^ וי][^ ]{2})|ال(?=[^ ]{2}))', '\\1', 'g'),
        '(?<=[^ ])[וי](?=[^ ])', '', 'g'),
        'א(?= |$)', 'ה', 'g')
    $$`.execute(db);
  // Key of namesakes: the words in one spelling, sorted, without those for "family"; words that never stand alone are
  // joined to the next one. A name of signs alone is its own key.
  await sql`
    create function guest_name_key(name text) returns text language plpgsql immutable parallel safe
    set search_path from current as $$
    declare
      words text[] := string_to_array(guest_name_spelling(regexp_replace(
        guest_name_letters(name), '(^| )(אבו|עבד|ابو|عبد|abu|abd) (?=[^ ])', '\\1\\2', 'g')), ' ');
      own text[] := array(
        select word from unnest(words) word
        where word <> all ('{משפחת,משפחה,משפ,عايله,family,fam,the,and}') order by word collate "C");
    begin
      return coalesce(
        nullif(array_to_string(own, ' '), ''),
        nullif(array_to_string(array(select word from unnest(words) word order by word collate "C"), ' '), ''),
        name);
    end $$`.execute(db);
}

async function createGuests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table guests (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      -- These columns are the first ones, so that a search that scans the table itself need not read past the others.
      search text collate "C" not null,
      search_words text collate "C" not null,
      search_joined text collate "C" not null,
      name_key text collate "C" not null,
      member_words text collate "C",
      member_joined text collate "C",
      name text not null check (name <> ''),
      phone text constraint guests_phone_form check (phone ~ '^\\+[0-9]{6,15}$'),
      -- Other numbers and addresses identify the guest too. The main ones come first: nobody has other ones alone.
      other_phones text[] not null default '{}'
        constraint guests_other_phones check (cardinality(other_phones) <= 5 and (phone is not null or other_phones = '{}')),
      email text constraint guests_email_form check (email = lower(email)),
      other_emails text[] not null default '{}'
        constraint guests_other_emails check (cardinality(other_emails) <= 5 and (email is not null or other_emails = '{}')),
      tags text[] not null default '{}',
      language text check (language in ('hebrew', 'arabic', 'english')),
      party_size integer not null default 1 check (party_size between 1 and 100),
      party_children integer not null default 0 check (party_children between 0 and party_size),
      -- Maximum number of people beyond the party; null: the event's limits apply.
      max_plus_ones integer check (max_plus_ones between 0 and 99),
      coming integer not null default 0 check (coming between 0 and 100),
      coming_children integer not null default 0 check (coming_children between 0 and coming),
      -- Number of meals of each kind.
      vegetarian integer not null default 0 check (vegetarian between 0 and 100),
      vegan integer not null default 0 check (vegan between 0 and 100),
      kosher integer not null default 0 check (kosher between 0 and 100),
      mehadrin integer not null default 0 check (mehadrin between 0 and 100),
      chalav_yisrael integer not null default 0 check (chalav_yisrael between 0 and 100),
      childrens_meals integer not null default 0 check (childrens_meals between 0 and 100),
      allergies text check (allergies <> ''),
      note text check (note <> ''),
      message text check (message <> ''),
      -- People of the party who are known: id, name, child, meal, allergies, coming.
      members jsonb not null default '[]' check (jsonb_typeof(members) = 'array'),
      -- Answers to the event's questions, by the questions' ids.
      answers jsonb not null default '{}',
      company text check (company <> ''),
      role text check (role <> ''),
      rsvp_status text not null default 'pending' check (rsvp_status in ('confirmed', 'pending', 'declined')),
      -- True if the guest answered "maybe".
      maybe boolean not null default false,
      answered_at timestamptz(3),
      answered_via text check (answered_via in ('organizer', 'link', 'open_link', 'import')),
      waiting_since timestamptz(3),
      waiting_order integer,
      unsubscribed_at timestamptz(3),
      -- Number of times that the guest's links were revoked, so that the next link is different.
      link_version integer not null default 0,
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint guests_maybe check (not maybe or (rsvp_status = 'pending' and waiting_order is null)),
      constraint guests_waiting check (
        (waiting_since is null) = (waiting_order is null)
        and (waiting_since is null or (rsvp_status = 'pending' and coming > 0)))
    )`.execute(db);
  await sql`
    create trigger guests_next_version before update on guests
    for each row execute function next_version()`.execute(db);
}

/**
 * Forms of a guest's name for order and search are computed only when the names or phone numbers change. Generated
 * columns would be computed at every update, an answer's too, since the table has a trigger before updates. A new row
 * that has its forms, from an import or of a deleted guest, keeps them, and so does an update that sets them.
 */
async function fillGuestSearch(db: Kysely<unknown>): Promise<void> {
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
    for each row when (new.search is null) execute function fill_guest_search()`.execute(db);
  await sql`
    create trigger guests_search_update before update on guests
    for each row when (
      row(new.name, new.phone, new.other_phones, new.members)
        is distinct from row(old.name, old.phone, old.other_phones, old.members)
      and row(new.search, new.search_words, new.search_joined, new.name_key, new.member_words, new.member_joined)
        is not distinct from row(old.search, old.search_words, old.search_joined, old.name_key, old.member_words, old.member_joined)
    ) execute function fill_guest_search()`.execute(db);
}

async function createGuestIndexes(db: Kysely<unknown>): Promise<void> {
  // Phone and mail address are unique in an event: an import recognises guests by them.
  await sql`create unique index guests_phone on guests (event_id, phone)`.execute(db);
  await sql`create unique index guests_email on guests (event_id, email)`.execute(db);
  // A guest’s other phones and addresses are unique in an event too. A query checks that before each write; the writes
  // of an event run one after the other.
  for (const column of ['other_phones', 'other_emails']) {
    await sql`
      create index ${sql.ref(`guests_${column}`)} on guests using gin (${sql.ref(column)})
      where ${sql.ref(column)} <> '{}'`.execute(db);
  }
  await sql`
    create unique index guests_waiting_list on guests (event_id, waiting_order) where waiting_order is not null`.execute(
    db,
  );
  await sql`
    create index guests_by_answer on guests (event_id, answered_at desc nulls last, id)`.execute(db);
  // Index for the guest list sorted by name. A search scans an event's part of it, and so does a filter by a rare
  // status.
  await sql`
    create index guests_by_name on guests (event_id, search, id)
    include (rsvp_status, search_words, search_joined)`.execute(db);
  // Guests whose members have names, which a search reads as well.
  await sql`create index guests_with_members on guests (event_id) where member_words is not null`.execute(db);
  await sql`create index guests_by_name_key on guests (event_id, name_key, id)`.execute(db);
}

/**
 * Guests that an import is about to write: preparing them here keeps the event's lock short, because under it they are
 * only copied from table to table. The columns are those of guests that an import can set, and the forms for order and
 * search, which are computed here too.
 */
async function createStagedGuests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table staged_guests (
      import_id uuid not null,
      staged_at timestamptz not null default clock_timestamp(),
      is_new boolean not null,
      id uuid not null,
      search text collate "C",
      search_words text collate "C",
      search_joined text collate "C",
      name_key text collate "C",
      member_words text collate "C",
      member_joined text collate "C",
      name text not null,
      phone text,
      other_phones text[] not null,
      email text,
      other_emails text[] not null,
      tags text[] not null,
      language text,
      party_size integer not null,
      party_children integer not null,
      max_plus_ones integer,
      coming integer not null,
      coming_children integer not null,
      vegetarian integer not null,
      vegan integer not null,
      kosher integer not null,
      mehadrin integer not null,
      chalav_yisrael integer not null,
      childrens_meals integer not null,
      allergies text,
      note text,
      message text,
      members jsonb not null,
      answers jsonb not null,
      company text,
      role text,
      rsvp_status text not null,
      maybe boolean not null,
      answered_at timestamptz(3),
      answered_via text,
      waiting_since timestamptz(3),
      waiting_order integer,
      primary key (import_id, id)
    )`.execute(db);
  await sql`
    create trigger staged_guests_search before insert on staged_guests
    for each row when (new.search is null) execute function fill_guest_search()`.execute(db);
}

/** Deleted guests, as long as they can be restored. */
async function createDeletedGuests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deleted_guests (
      guest_id uuid primary key,
      event_id uuid not null references events on delete cascade,
      deleted_at timestamptz(3) not null,
      -- Snapshot of the guest's rows, by table.
      kept jsonb not null
    )`.execute(db);
  await sql`create index deleted_guests_by_event on deleted_guests (event_id, deleted_at desc)`.execute(db);
  await sql`create index deleted_guests_by_age on deleted_guests (deleted_at)`.execute(db);
}

/** Erasure of an event's guests: the announcement to its organizer, and the erasure itself. */
async function createEventRetention(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_retention (
      event_id uuid primary key references events on delete cascade,
      -- Date of the event when the organizer was notified, and the time of that mail.
      told_for date,
      told_at timestamptz(3),
      erased_at timestamptz(3)
    )`.execute(db);

  // Guests who are added or changed after an erasure are new data, which must be erased again.
  await sql`
    create function forget_erasure() returns trigger language plpgsql as $$
    begin
      update event_retention set erased_at = null
      where erased_at is not null and event_id in (select event_id from new_rows);
      return null;
    end $$`.execute(db);
  for (const event of ['insert', 'update']) {
    await sql`
      create trigger ${sql.ref(`guests_forget_erasure_${event}`)} after ${sql.raw(event)} on guests
      referencing new table as new_rows for each statement execute function forget_erasure()`.execute(db);
  }
}
