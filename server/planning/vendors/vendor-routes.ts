import { fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { addPage, readPage } from '../../kernel/paging.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { alreadyAdmitted } from '../../kernel/writes/idempotency.ts';
import { entityTag, ifMatch } from '../../kernel/writes/preconditions.ts';
import { readableEvent, requireEditable } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import {
  createVendorSchema,
  deleteVendorSchema,
  listBookedVendorsSchema,
  listVendorsSchema,
  MOST_VENDORS,
  readVendorSchema,
  updateVendorSchema,
  Vendor,
} from './contract.ts';
import { vendorFields, vendorFilter } from './fields.ts';
import { readVendor } from './input.ts';
import { messages } from './messages.ts';
import type { VendorParts } from './parts.ts';
import {
  addVendor,
  changeVendor,
  findVendor,
  isBookedForEditor,
  listBookedVendors,
  listVendors,
  removeVendor,
  type StoredVendor,
} from './vendor-store.ts';

/** Routes of an organizer's vendors. */
export function serveVendors(server: Server, { db, authenticate, transactOnce, clock }: VendorParts): void {
  serveArea(server, authenticate, '/api/vendors', (area) => {
    area.get('', { schema: listVendorsSchema }, async (request) => {
      const page = readPage(request.query);
      const { kind } = readQuery(vendorFilter, request.query);
      return addPage(page, await listVendors(db, request.caller, kind, page));
    });

    area.post('', { schema: createVendorSchema }, (request, reply) =>
      transactOnce(request, reply, alreadyAdmitted(request.caller.id), async (through) => {
        const added = await addVendor(
          through,
          request.caller,
          readVendor(fieldsAmong(vendorFields, request.body)),
          clock(),
        );
        if (!added) throw new Refusal(400, 'too_many', messages.tooManyVendors(MOST_VENDORS));
        const { vendor, version } = added;
        const headers = { location: `/api/vendors/${vendor.id}`, etag: entityTag(version) };
        return { status: 201, headers, body: { vendor } };
      }),
    );

    area.get('/:vendorId', { schema: readVendorSchema }, async (request, reply) => {
      const { vendor, version, organizer_id } = requireVendor(
        await findVendor(db, requireUuid(request.params.vendorId)),
      );
      if (organizer_id !== request.caller.id && !(await isBookedForEditor(db, vendor.id, request.caller))) {
        throw new Refusal(403, 'forbidden', messages.vendorNotYours);
      }
      reply.header('etag', entityTag(version));
      return { vendor };
    });

    area.put('/:vendorId', { schema: updateVendorSchema }, async (request, reply) => {
      const unchanged = ifMatch(request);
      const { vendor, version } = await db.transaction().execute(async (transaction) => {
        const before = requireOwnVendor(
          await findVendor(transaction, requireUuid(request.params.vendorId), true),
          request,
        );
        const { id, created_at: _, updated_at: __, ...current } = before.vendor;
        const input = readVendor(fieldsAmong(Vendor.properties, request.body), current);
        unchanged(before.version);
        return changesBetween(current, input) ? changeVendor(transaction, id, input, clock()) : before;
      });
      reply.header('etag', entityTag(version));
      return { vendor };
    });

    area.delete('/:vendorId', { schema: deleteVendorSchema }, async (request, reply) => {
      const unchanged = ifMatch(request);
      await db.transaction().execute(async (transaction) => {
        const before = requireOwnVendor(
          await findVendor(transaction, requireUuid(request.params.vendorId), true),
          request,
        );
        unchanged(before.version);
        await removeVendor(transaction, before.vendor.id, clock());
      });
      return reply.code(204).send(null);
    });
  });

  serveArea(server, authenticate, '/api/events/:id/vendors', (area) => {
    area.get('', { schema: listBookedVendorsSchema }, async ({ caller, params, query }) => {
      const event = requireEditable(await readableEvent(db, caller, params.id));
      const page = readPage(query);
      return addPage(page, await listBookedVendors(db, event.id, page));
    });
  });
}

function requireVendor(stored: StoredVendor | undefined): StoredVendor {
  if (!stored) throw new Refusal(404, 'not_found', messages.noSuchVendor);
  return stored;
}

/** Requires that a request changes the caller's own vendor; throws a 404 for somebody else's vendor. */
function requireOwnVendor(
  stored: StoredVendor | undefined,
  { caller }: { caller: { id: string } },
): StoredVendor {
  return requireVendor(stored?.organizer_id === caller.id ? stored : undefined);
}

/** Returns a vendor's id unchanged; throws a 404 if it is not a valid UUID. */
function requireUuid(id: string): string {
  if (!isUuid(id)) throw new Refusal(404, 'not_found', messages.noSuchVendor);
  return id;
}
