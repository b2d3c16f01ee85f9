import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { ANY_DATABASE, DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';
import { newEvent, type TestEvent } from '../event.ts';
import { pathOf } from './links.ts';

const card = (width = 900, height = 1300) =>
  sharp({ create: { width, height, channels: 3, background: '#9c2f5b' } });

async function put(
  event: TestEvent,
  picture: Uint8Array<ArrayBuffer>,
  type = 'image/jpeg',
  headers: Record<string, string> = {},
) {
  const token = await event.server.token('me');
  const answer = await fetch(`${event.server.url}/api/events/${event.id}/invitation/picture`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': type, ...headers },
    body: picture,
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
}

const bytes = (buffer: Buffer) => new Uint8Array(buffer);

async function see(event: TestEvent, url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(event.server.url + new URL(url).pathname, { headers });
  return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) };
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a picture is turned upright, loses what its file says, and is there in three sizes, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    assert.deepEqual((await event.call('GET', '/invitation/picture')).body, { picture: null });
    const file = await card(2600, 1800)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'where we live' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { status, body } = await put(event, bytes(file));
    assert.equal(status, 200, JSON.stringify(body));
    const { picture } = body;
    assert.deepEqual([picture.width, picture.height], [1440, 2080]);
    for (const [url, width, height] of [
      [picture.url, 1440, 2080],
      [picture.small_url, 720, 1040],
      [picture.preview_url, 1200, 630],
    ]) {
      const seen = await see(event, url);
      assert.equal(seen.status, 200);
      assert.equal(seen.headers.get('content-type'), 'image/jpeg');
      assert.equal(seen.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      const { format, exif, orientation, icc, ...size } = await sharp(seen.content).metadata();
      assert.deepEqual([format, exif, orientation, icc], ['jpeg', undefined, undefined, undefined]);
      assert.deepEqual([size.width, size.height], [width, height]);
      assert.ok(!seen.content.includes('where we live') && seen.content.length < 600_000);
      const again = await see(event, url, { 'if-none-match': seen.headers.get('etag') ?? '' });
      assert.deepEqual([again.status, again.content.length], [304, 0]);
    }
    const history = await event.call('GET', '/history?subject=invitation');
    assert.deepEqual(history.body.history[0].changes, { picture: { from: null, to: picture.url } });
  });

  test(`another picture has another address, and one that was taken off has none, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const first = await put(event, bytes(await card().png().toBuffer()), 'image/png');
    const stale = await put(event, bytes(await card().webp().toBuffer()), 'image/webp', {
      'if-match': '"0"',
    });
    assert.equal(stale.status, 412);
    const second = await put(event, bytes(await card().avif().toBuffer()), 'image/avif', {
      'if-match': first.headers.get('etag') ?? '',
    });
    assert.equal(second.status, 200, JSON.stringify(second.body));
    assert.equal((await see(event, first.body.picture.url)).status, 404);
    assert.equal((await see(event, second.body.picture.url)).status, 200);
    assert.equal((await see(event, second.body.picture.url.replace('large', 'other'))).status, 404);
    const stranger = await event.server.token('stranger');
    assert.equal((await event.call('DELETE', '/invitation/picture', { token: stranger })).status, 404);
    assert.equal((await event.call('GET', '/invitation/picture', { token: stranger })).status, 403);
    assert.equal((await event.call('DELETE', '/invitation/picture')).status, 204);
    assert.equal((await see(event, second.body.picture.url)).status, 404);
    const third = await put(event, bytes(await card().png().toBuffer()), 'image/png');
    await event.call('DELETE', '');
    assert.equal((await see(event, third.body.picture.url)).status, 404);
  });

  test(`a link's preview is the invitation, in the page's language, and says nothing of the guest, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { picture } = (await put(event, bytes(await card().png().toBuffer()), 'image/png')).body;
    await event.call('PUT', '/invitation', {
      body: { hosts: 'Noa & Itay', title: { english: 'A wedding' }, picture_alt: { english: 'Two hearts' } },
    });
    const path = await pathOf(event, { name: 'Dana Hopper', language: 'english' });
    const { text, headers } = await event.server.call('GET', path);
    const head = text.slice(0, text.indexOf('</head>'));
    const said = Object.fromEntries(
      [...head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    assert.deepEqual(
      [said['og:title'], said['og:locale'], said['og:image'], said['og:image:alt']],
      ['A wedding', 'en_GB', picture.preview_url, 'Two hearts'],
    );
    assert.match(said['og:description'] ?? '', /^Noa &amp; Itay · Monday, 15 June 2099 .*· גן האירועים עדן/);
    assert.ok(!head.includes('Dana'), 'a preview is seen by others than the guest');
    assert.match(text, /<img class="picture" src="\/i\/\w{32}\/small\.jpg"[^>]* alt="Two hearts"/);
    assert.match(headers.get('content-security-policy') ?? '', /img-src 'self'/);
    const hebrew = (await event.server.call('GET', `${path}?lang=hebrew`)).text;
    assert.match(hebrew, /og:title" content="החתונה של נועה ואיתי"/);
    assert.match(hebrew, /og:locale" content="he_IL"/);
    const read = await event.server.call('GET', `/api${path.replace('/r/', '/rsvp/')}`);
    assert.equal(read.body.event.picture_url, picture.url);
    await event.call('PUT', '', { body: { status: 'cancelled' } });
    const cancelled = (await event.server.call('GET', path)).text;
    assert.match(cancelled, /og:title" content="Cancelled: A wedding"/);
    assert.ok(!/og:image|<img/.test(cancelled));
  });
}

test('what is no picture, or too much of one, is refused with what is accepted', async () => {
  await using event = await newEvent(ANY_DATABASE);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>');
  const jpeg = await card().jpeg().toBuffer();
  const huge = await card(9000, 9000).png({ compressionLevel: 9 }).toBuffer();
  const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)]);
  for (const [picture, type, status, code, word] of [
    [svg, 'image/jpeg', 400, 'unusable_picture', /JPEG, PNG, WebP/],
    [svg, 'image/svg+xml', 415, 'wrong_content_type', /image\/jpeg/],
    [heic, 'image/jpeg', 400, 'unusable_picture', /HEIC/],
    [jpeg.subarray(0, jpeg.length / 2), 'image/jpeg', 400, 'unusable_picture', /damaged/],
    [huge, 'image/png', 400, 'unusable_picture', /64 megapixels/],
    [await card(150, 900).png().toBuffer(), 'image/png', 400, 'unusable_picture', /200 pixels/],
    [Buffer.alloc(0), 'image/png', 400, 'unusable_picture', /JPEG/],
    [Buffer.alloc(16 * 2 ** 20), 'image/png', 413, 'too_large', /15 MiB/],
  ] as const) {
    const refused = await put(event, bytes(picture), type, { 'accept-language': 'en' });
    assert.deepEqual([refused.status, refused.body.code], [status, code], JSON.stringify(refused.body));
    assert.match(refused.body.message, word);
  }
  assert.deepEqual((await event.call('GET', '/invitation/picture')).body, { picture: null });
});
