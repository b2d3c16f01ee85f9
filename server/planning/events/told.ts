import { sql } from 'kysely';
import { oneLine } from '../../kernel/database/one-line.ts';

/** SQL for an event's title as it is told. What is kept is what was sent: it may break lines and turn text around. */
export const TITLE = oneLine(sql`events.title`);
