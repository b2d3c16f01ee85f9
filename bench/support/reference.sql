create schema reference;
create table reference.events (
  id uuid primary key default gen_random_uuid(),
  organizer_id text not null,
  status text not null default 'published',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  title text not null,
  event_date timestamptz not null,
  venue_name text not null,
  venue_address text,
  description text,
  max_guests integer,
  venue_capacity integer,
  kashrut_level text,
  language_pref text not null default 'hebrew',
  budget numeric,
  version integer not null default 1
);
create index on reference.events (organizer_id, event_date, id);
create table reference.guests (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references reference.events on delete cascade,
  name text not null,
  rsvp_status text not null,
  message text,
  updated_at timestamptz not null default now()
);
create index on reference.guests (event_id, rsvp_status);
create table reference.history (
  id bigint generated always as identity primary key,
  subject_id uuid not null,
  at timestamptz not null,
  action text not null,
  changes jsonb not null
);
