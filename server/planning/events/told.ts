import { sql } from 'kysely';
import { oneLine } from '../../kernel/database/one-line.ts';

/** SQL for an event's title on one line, for messages. The stored title may hold line breaks and direction marks. */
export const TITLE = oneLine(sql`events.title`);
