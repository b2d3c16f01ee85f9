import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { readable } from '../events/access.ts';
import { languageOf, serveArea } from '../events/area.ts';
import { findEvent } from '../events/store.ts';
import { daysOf } from './calendar.ts';
import { calendarDaysSchema, eventCalendarSchema, sharedSchemas } from './contract.ts';
import { daysAsked, readDays } from './fields.ts';
import { calendarOfEvent } from './store.ts';

export interface CalendarParts {
  db: Kysely<unknown>;
  authenticate: onRequestAsyncHookHandler;
}

/** Routes for dates in the other calendars, and advice about them. */
export function serveCalendar(server: Server, { db, authenticate }: CalendarParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events', (area) => {
    area.get('/:id/calendar', { schema: eventCalendarSchema }, async (request) => {
      const { event } = readable(await findEvent(db, request.caller, request.params.id));
      return { calendar: await calendarOfEvent(db, event, languageOf(request)) };
    });
  });

  serveArea(server, authenticate, '/api/calendar', (area) => {
    area.get('/days', { schema: calendarDaysSchema }, async (request) => {
      const { language, ...asked } = readQuery(daysAsked, request.query);
      return { days: daysOf(readDays(asked), { zone: DEFAULT_ZONE, language }, languageOf(request)) };
    });
  });
}
