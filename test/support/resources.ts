import assert from 'node:assert/strict';
import type { CallOptions } from './client.ts';
import type { TestServer } from './server.ts';

/** Ids of existing resources, by the name of the path parameter that takes such an id. */
export type ResourceIds = Readonly<Record<string, string>>;

export const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Makes one resource of each kind that a path parameter can name: the `n`th of each kind. */
export async function makeResources(
  server: Pick<TestServer, 'call'>,
  credentials: Readonly<Record<string, CallOptions>>,
  n: number,
): Promise<ResourceIds> {
  const make = async (path: string, body: object, credential = 'organizer') => {
    const answer = await server.call('POST', path, { ...credentials[credential], body });
    assert.ok(answer.status === 201 || answer.status === 202, `${path}: ${answer.text}`);
    return (answer.text.match(UUID) ?? [])[0] ?? '';
  };
  const id = await make('/api/events', {
    title: 'חתונה',
    event_date: '2099-06-15T19:30',
    venue_name: 'עדן',
    max_guests: 500,
    venue_capacity: 300,
  });
  const published = { ...credentials.organizer, body: { status: 'published' } };
  assert.equal((await server.call('PUT', `/api/events/${id}`, published)).status, 200);
  const vendorId = await make('/api/vendors', { name: 'צילום אור', kind: 'photographer' });
  const bookings = `/api/events/${id}/bookings`;
  const bookingId = await make(bookings, { vendor_id: vendorId });
  const repository = 'https://git.example.com/site.git';
  const uuid = await make('/api/v1/applications', { name: `site ${n}`, repository }, 'apiKey');
  return {
    id,
    vendorId,
    guestId: await make(`/api/events/${id}/guests`, { name: 'נועה כהן' }),
    roundId: await make(`/api/events/${id}/rounds`, {
      filter: {},
      send_at: new Date(Date.now() + 30 * 86_400_000),
    }),
    questionId: await make(`/api/events/${id}/questions`, { kind: 'text', text: 'שיר?' }),
    bookingId,
    paymentId: await make(`${bookings}/${bookingId}/payments`, { amount: 1 }),
    agendaItemId: await make(`/api/events/${id}/agenda`, { title: 'ריקודים', starts_at: '2099-06-15T21:00' }),
    coOrganizerId: await make(`/api/events/${id}/co-organizers`, { email: `helper${n}@example.com` }),
    uuid,
    person: await make(`/api/v1/applications/${uuid}/people`, { email: `member${n}@example.com` }, 'apiKey'),
    webhook: await make(
      '/api/v1/users/me/webhooks',
      { url: `https://example.com/${n}`, kinds: ['site.down'] },
      'apiKey',
    ),
    group: await make('/api/v1/variable-groups', { name: `group-${n}` }, 'apiKey'),
    item: ['police', 'insurance', 'capacity'][n % 3] ?? '',
  };
}
