import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { compressLarge } from './compressed.ts';

const LARGE = { guests: Array.from({ length: 300 }, (_, at) => ({ name: `משפחה ${at}`, party_size: 2 })) };
const SMALL = { guests: LARGE.guests.slice(0, 3) };

test('large answers of a route are compressed as the client accepts, small ones never', async () => {
  const app = fastify();
  app.get('/large', { onSend: compressLarge }, () => LARGE);
  app.get('/small', { onSend: compressLarge }, () => SMALL);
  const read = (url: string, accepted: string, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ url, method, headers: { 'accept-encoding': accepted } });

  const br = await read('/large', 'gzip, deflate, br');
  assert.equal(br.headers['content-encoding'], 'br');
  assert.deepEqual(JSON.parse(brotliDecompressSync(br.rawPayload).toString()), LARGE);
  const zipped = await read('/large', 'gzip');
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.deepEqual(JSON.parse(gunzipSync(zipped.rawPayload).toString()), LARGE);
  assert.ok(zipped.rawPayload.length < JSON.stringify(LARGE).length / 5);
  const head = await read('/large', 'br', 'HEAD');
  assert.deepEqual(
    [head.rawPayload.length, head.headers['content-length'], head.headers['content-encoding']],
    [0, br.headers['content-length'], 'br'],
  );

  const plain = await read('/large', 'identity');
  assert.deepEqual([plain.headers['content-encoding'], plain.json()], [undefined, LARGE]);
  // A cache in between must not give the compressed answer to clients that can't read it.
  for (const { headers } of [br, zipped, plain]) assert.equal(headers.vary, 'Accept-Encoding');

  const small = await read('/small', 'br');
  assert.deepEqual([small.headers['content-encoding'], small.json()], [undefined, SMALL]);
});
