import sharp from 'sharp';
import type { App } from '../../server/kernel/http/app.ts';
import { weekdayFrom } from './data.ts';

/** Ids of the demo's events in which something happens after the invitations were sent. */
export interface DemoIds {
  wedding: string;
  barMitzva: string;
}

/** Addresses that the demo prints, for people to open. */
export interface Addresses {
  guestPage: string;
  calendar: string;
}

/** Makes what happens after the invitations: people act through the API and the guests' pages. No messages are sent. */
export async function playLaterActions(
  app: App,
  token: string,
  { wedding, barMitzva }: DemoIds,
  slug: string,
  now: Temporal.Instant,
): Promise<Addresses> {
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object | string | Buffer,
    type = 'application/json',
  ) => {
    const answer = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...(payload && { 'content-type': type }) },
      ...(payload && { payload }),
    });
    if (answer.statusCode >= 400) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
    return answer.headers['content-type']?.toString().startsWith('application/json') ? answer.json() : {};
  };
  const form = (path: string, fields: Record<string, string>) =>
    call('POST', path, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');
  const today = now.toZonedDateTimeISO('Asia/Jerusalem').toPlainDate();

  const atWedding = `/api/events/${wedding}`;
  await call('PUT', `${atWedding}/invitation/picture`, await picture(), 'image/png');

  // Phone calls to guests who were informed by hand and have not answered; one of them accepts on the phone.
  const reminder = { kind: 'reminder', channel: 'phone', filter: { invited: true } };
  const { round } = await call('POST', `${atWedding}/rounds`, reminder);
  for (const came of [
    { outcome: 'reached', rsvp_status: 'confirmed', coming: 1 },
    { outcome: 'no_answer' },
    {
      outcome: 'call_again',
      call_again_at: `${today.add({ days: 1 })}T20:00`,
      note: 'בפגישה, מבקשת לחזור בערב',
    },
    { outcome: 'reached', rsvp_status: 'declined' },
  ]) {
    const { guest } = await call('POST', `${atWedding}/rounds/${round.id}/next`);
    await call('POST', `${atWedding}/rounds/${round.id}/guests/${guest.guest_id}/calls`, came);
  }
  await call('POST', `${atWedding}/rounds`, {
    kind: 'reminder',
    channel: 'mail',
    filter: {},
    send_at: `${weekdayFrom(today.add({ days: 40 }))}T10:00`,
    message: {
      hebrew: 'סוגרים רשימה עם הקייטרינג, ונשמח לדעת אם אתם מגיעים.',
      arabic: 'نُقفل القائمة مع متعهد الطعام، ويسعدنا أن نعرف إن كنتم ستحضرون.',
      english: 'We are about to give the caterer our numbers, and would love to know whether you come.',
    },
  });

  // A guest answers on the page. Another guest is deleted, and can be restored.
  const { guests } = await call('GET', `${atWedding}/guests?status=pending&limit=30`);
  const [asked, mistaken] = guests.filter(({ answered_at }: { answered_at: string | null }) => !answered_at);
  const { link } = await call('GET', `${atWedding}/guests/${asked.id}/link`);
  await form(new URL(link.url).pathname, { rsvp_status: 'confirmed', coming: '1', message: 'מחכים כבר!' });
  await call('DELETE', `${atWedding}/guests/${mistaken.id}`);

  // The bar mitzva is full: further guests wait, except an aunt, who is added over the limit. A couple is removed, and
  // the next family gets their places and must be notified by hand, since they have no mail address.
  const atBarMitzva = `/api/events/${barMitzva}`;
  const { counts } = await call('GET', `${atBarMitzva}/guests/counts`);
  await call('PUT', atBarMitzva, { max_guests: counts.people });
  const yes = { rsvp_status: 'confirmed', coming: 2 };
  for (const name of ['משפחת ארביב', 'משפחת סלע', 'משפחת נחמיאס', 'משפחת אזולאי'])
    await call('POST', `${atBarMitzva}/guests`, { name, party_size: 2, ...yes });
  const { guests: seated } = await call('GET', `${atBarMitzva}/guests?status=confirmed&limit=30`);
  const two = seated.find(({ coming }: { coming: number }) => coming === 2);
  await call('DELETE', `${atBarMitzva}/guests/${two.id}`);
  await call('POST', `${atBarMitzva}/guests`, { name: 'דודה מרים', party_size: 2, ...yes, over_limit: true });

  // Friends of friends request places by the event's open link.
  await call('PUT', `${atBarMitzva}/rsvp`, { open: true, slug });
  for (const [name, phone] of [
    ['רוני, מהחוג לשחייה', '052-777-0101'],
    ['עומר מהכיתה', '052-777-0102'],
    ['דן', '052-777-0103'],
  ] as const)
    await form(`/e/${slug}`, { name, phone, coming: '1' });
  const { requests } = await call('GET', `${atBarMitzva}/guest-requests`);
  await call('POST', `${atBarMitzva}/guest-requests/${requests[0].id}/decline`);

  const { feed } = await call('PUT', '/api/calendar/feed', { payments: true, approvals: true });
  return { guestPage: link.url, calendar: feed.url };
}

/** Invitation picture: two rings among leaves in the evening, upright like drawn invitations. */
function picture(): Promise<Buffer> {
  const leaf = (x: number, y: number, turn: number, size: number) =>
    `<path transform="translate(${x} ${y}) rotate(${turn}) scale(${size})" d="M0 0C30-60 30-140 0-200C-30-140-30-60 0 0Z"/>`;
  const garland = Array.from({ length: 22 }, (_, n) => {
    const along = (n / 21) * Math.PI;
    return leaf(540 - 360 * Math.cos(along), 410 - 220 * Math.sin(along), (n * 37) % 360, 0.55 + (n % 4) / 8);
  }).join('');
  const svg = `
    <svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1500">
      <defs><linearGradient id="sky" x2="0" y2="1">
        <stop offset="0" stop-color="#2f3e5c"/><stop offset=".55" stop-color="#c98d76"/><stop offset="1" stop-color="#f3dcc0"/>
      </linearGradient></defs>
      <rect width="1080" height="1500" fill="url(#sky)"/>
      <circle cx="540" cy="1010" r="150" fill="#fff3dc" opacity=".75"/>
      <path d="M0 1180C240 1080 420 1130 600 1170S940 1210 1080 1120V1500H0Z" fill="#5b6b4e"/>
      <path d="M0 1290C300 1190 640 1260 1080 1230V1500H0Z" fill="#44523c"/>
      <g fill="#dfe6cf" opacity=".9">${garland}<g transform="matrix(1 0 0 -1 0 1000)">${garland}</g></g>
      <g fill="none" stroke="#f6d999" stroke-width="22"><circle cx="480" cy="500" r="110"/><circle cx="600" cy="500" r="110"/></g>
    </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
