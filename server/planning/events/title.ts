import { sql } from 'kysely';
import { oneLineSql } from '../../kernel/database/one-line.ts';

/** SQL for an event's title on one line, for messages. The stored title may hold line breaks and direction marks. */
export const EVENT_TITLE = oneLineSql(sql`events.title`);
