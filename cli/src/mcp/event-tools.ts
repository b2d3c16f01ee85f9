import {
  createEvent,
  createGuest,
  type Guest,
  idempotencyKey,
  listGuests,
  readBudget,
  readChecklist,
  readEvent,
  readGuestNumbers,
} from 'simcha-client';
import * as z from 'zod';
import { allEvents, idOfEvent } from '../events.ts';
import { ADDS, READS, type Tool, tool } from './tool.ts';

/** Maximum number of events in an answer. */
const MOST_EVENTS = 100;

const text = (longest: number) => z.string().min(1).max(longest);
const EVENT = { event: text(200).describe('Title, a part of it that no other event has, or id.') };

export const EVENT_TOOLS: readonly Tool[] = [
  tool({
    name: 'list_events',
    title: 'List events',
    description: 'Lists the events of the user, and those that others share with the user.',
    annotations: READS,
    input: { status: z.enum(['draft', 'published', 'cancelled', 'completed']).exactOptional() },
    run: async (server, { status }) => {
      const all = (await allEvents(server)).filter((one) => status === undefined || one.status === status);
      const events = all.slice(0, MOST_EVENTS).map((one) => ({
        id: one.id,
        title: one.title,
        status: one.status,
        event_date: one.event_date,
        venue_name: one.venue_name,
        guests: one.rsvp_total,
        confirmed: one.rsvp_confirmed,
        pending: one.rsvp_pending,
      }));
      return { events, total: all.length };
    },
  }),
  tool({
    name: 'show_event',
    title: 'Show an event',
    description: 'Shows an event with its date, venue, limits and the number of answers.',
    annotations: READS,
    input: EVENT,
    run: async (server, { event }) => (await readEvent(await eventOf(server, event))).data,
  }),
  tool({
    name: 'create_event',
    title: 'Create an event',
    description: 'Creates an event as a draft; guests see nothing of it until the user publishes it.',
    annotations: ADDS,
    input: {
      title: text(500),
      event_date: text(40).describe('Date and time, in Israel unless it has an offset: 2027-06-15T19:30.'),
      venue_name: text(500),
      venue_address: text(1000).exactOptional(),
      description: text(10_000).exactOptional(),
      max_guests: z.int().min(1).exactOptional(),
      kashrut_level: z.enum(['none', 'regular', 'mehadrin', 'chalav_yisrael']).exactOptional(),
      language_pref: z.enum(['hebrew', 'arabic', 'english']).exactOptional(),
      budget: z.number().min(0).exactOptional().describe('In new shekels.'),
    },
    run: async ({ client }, body) => (await createEvent({ client, body, headers: idempotencyKey() })).data,
  }),
  tool({
    name: 'list_guests',
    title: 'List guests',
    description:
      'Lists guests of an event, a page at a time, also by a search or a status: "pending" are those who have not answered.',
    annotations: READS,
    input: {
      ...EVENT,
      search: text(200).exactOptional().describe('Words of a name, or a part of a phone number.'),
      status: z.enum(['confirmed', 'pending', 'declined', 'maybe', 'waiting']).exactOptional(),
      tag: text(100).exactOptional(),
      page: z.int().min(1).max(10_000).default(1),
      limit: z.int().min(1).max(100).default(50),
    },
    run: async (server, { event, ...query }) => {
      const { data } = await listGuests({ ...(await eventOf(server, event)), query });
      return { guests: data.guests.map(summaryOf), total: data.total, page: data.page };
    },
  }),
  tool({
    name: 'guest_numbers',
    title: 'Count guests',
    description: 'Counts guests, people and meals of an event, by answer and by tag.',
    annotations: READS,
    input: EVENT,
    run: async (server, { event }) => (await readGuestNumbers(await eventOf(server, event))).data,
  }),
  tool({
    name: 'add_guest',
    title: 'Add a guest',
    description: 'Adds a guest, or a family as one guest with its party size. Sends no message.',
    annotations: ADDS,
    input: {
      ...EVENT,
      name: text(500),
      phone: text(50).exactOptional(),
      email: text(320).exactOptional(),
      party_size: z.int().min(1).exactOptional().describe('Number of invited people, with the guest.'),
      party_children: z.int().min(0).exactOptional().describe('How many of them are children.'),
      tags: z.array(text(100)).max(20).exactOptional(),
      note: text(5000).exactOptional().describe('For the organizers only.'),
      language: z.enum(['hebrew', 'arabic', 'english']).exactOptional(),
    },
    run: async (server, { event, ...body }) => {
      const { data } = await createGuest({
        ...(await eventOf(server, event)),
        body,
        headers: idempotencyKey(),
      });
      return { guest: summaryOf(data.guest) };
    },
  }),
  tool({
    name: 'show_checklist',
    title: 'Show the checklist',
    description: 'Shows the approvals that a large event needs, with their state and due date.',
    annotations: READS,
    input: EVENT,
    run: async (server, { event }) => (await readChecklist(await eventOf(server, event))).data,
  }),
  tool({
    name: 'show_budget',
    title: 'Show the budget',
    description: 'Shows what is planned, booked, paid and owed, by kind, in new shekels.',
    annotations: READS,
    input: EVENT,
    run: async (server, { event }) => (await readBudget(await eventOf(server, event))).data,
  }),
];

/** Client and parameters of a route about the event that a call names. */
async function eventOf(server: Parameters<typeof idOfEvent>[0], named: string) {
  return { client: server.client, path: { id: await idOfEvent(server, named) } };
}

function summaryOf(guest: Guest) {
  const { id, name, rsvp_status, maybe, waiting_since, party_size, coming } = guest;
  const { phone, email, tags, allergies, note } = guest;
  const answer = { rsvp_status, maybe, waiting_since, party_size, coming };
  return { id, name, ...answer, phone, email, tags, allergies, note };
}
