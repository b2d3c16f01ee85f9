import { sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { RefusalFollower } from '../../kernel/sent-messages.ts';
import { queueEventMessage } from '../events/listeners.ts';
import { parseMessageKey } from '../rounds/message-keys.ts';
import type { RoundBasics } from '../rounds/store.ts';

/** Makes the follower that queues a message to webhooks about a round's mail or text that did not reach its guest. */
export function queueFailedMessage(clock: Clock): RefusalFollower {
  return async (transaction, { key, problem }) => {
    if (!key.startsWith('round:')) return;
    const { round_id, guest_id } = parseMessageKey(key);
    const { rows } = await sql<RoundBasics & { event_id: string }>`
      select event_id, id, kind, channel from rounds where id = ${round_id}`.execute(transaction);
    const [found] = rows;
    if (!found) return;
    const { event_id, ...round } = found;
    const data = { event_id, round, guest_id, problem: problem.code };
    await queueEventMessage(transaction, event_id, 'message.failed', async () => ({ data }), clock());
  };
}
