import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pageFromClause } from '../../server/kernel/database/pages.ts';
import { BOTH_DATABASES, startServer, type TestServer } from '../support/server.ts';

for (const kind of BOTH_DATABASES) {
  describe(`pages on ${kind}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer(kind);
    });
    after(() => server.close());

    const read = async (total: number, limit: number, offset: bigint) => {
      const { rows } = await sql<{ total: number; passed_over?: string; id: number | null }>`
        select span.*, page.id
        from ${pageFromClause(
          {
            total: sql`select ${total}::integer as total`,
            ids: sql`select n as id from generate_series(1, ${total}::integer) n`,
            forwards: sql`n`,
            backwards: sql`n desc`,
          },
          { limit, offset },
        )}
        order by page.id`.execute(server.simcha.database.sql);
      const ids = rows.map(({ id }) => id).filter((id) => id !== null);
      return { ids, total: rows[0]?.total, passedOver: Number(rows[0]?.passed_over ?? offset) };
    };

    test('whatever end a page is read from, it is the same page', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(5_000),
          fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1_000 })),
          fc.double({ min: 0, max: 1.1, noNaN: true }),
          async (all, limit, share) => {
            const rows = Array.from({ length: all }, (_, index) => index + 1);
            const offset = Math.floor((all * share) / limit) * limit;
            const { ids, total, passedOver } = await read(all, limit, BigInt(offset));
            assert.deepEqual(ids, rows.slice(offset, offset + limit));
            assert.equal(total, all);
            assert.ok(passedOver <= Math.max(1_000, all / 2), 'the farther end was chosen');
          },
        ),
      );
    });

    test('a page far beyond the end is empty, and tells the total', async () => {
      assert.deepEqual(await read(10, 1000, 9n * 10n ** 18n), { ids: [], total: 10, passedOver: 0 });
    });
  });
}
