import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { requireReadable } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import { findEvent } from '../events/store.ts';
import { buildCalendarDays } from './calendar.ts';
import { calendarDaysSchema, eventCalendarSchema, sharedSchemas } from './contract.ts';
import { daysQuery, readDays } from './fields.ts';
import { calendarOfEvent } from './store.ts';

export interface CalendarParts {
  db: Kysely<unknown>;
  authenticate: onRequestAsyncHookHandler;
}

/** Routes for dates in the Hebrew and Islamic calendars, and advice about them. */
export function serveCalendar(server: Server, { db, authenticate }: CalendarParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events', (area) => {
    area.get('/:id/calendar', { schema: eventCalendarSchema }, async (request) => {
      const { event } = requireReadable(await findEvent(db, request.caller, request.params.id));
      return { calendar: await calendarOfEvent(db, event, responseLanguageOf(request)) };
    });
  });

  serveArea(server, authenticate, '/api/calendar', (area) => {
    area.get('/days', { schema: calendarDaysSchema }, async (request) => {
      const { language, ...range } = readQuery(daysQuery, request.query);
      return {
        days: buildCalendarDays(
          readDays(range),
          { zone: DEFAULT_ZONE, language },
          responseLanguageOf(request),
        ),
      };
    });
  });
}
