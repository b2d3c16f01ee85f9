import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ANY_DATABASE, startServer, type TestServer } from './support/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked, not typed
type Document = any;

describe('the API reference', () => {
  const found = (part: Document): Document =>
    part?.$ref
      ? part.$ref
          .slice(2)
          .split('/')
          .reduce((at: Document, key: string) => at[key], document)
      : part;
  let server: TestServer;
  let document: Document;
  before(async () => {
    server = await startServer(ANY_DATABASE);
    document = (await server.call('GET', '/openapi.json')).body;
  });
  after(() => server.close());

  test('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors));
    assert.match(document.openapi, /^3\.1\./);
  });

  test('says of every subject what it is', () => {
    const told = document.tags.map((tag: Document) => tag.name);
    for (const methods of Object.values<Document>(document.paths))
      for (const { tags, operationId } of Object.values<Document>(methods))
        assert.ok(told.includes(tags[0]), `${operationId}: ${tags}`);
  });

  test('describes the contract’s routes, and nothing twice', () => {
    const described = Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Document>(methods).map(([method, { operationId }]) => ({
        route: `${method} ${path}`,
        operationId,
      })),
    );
    const ids = described.map(({ operationId }) => operationId);
    assert.ok(!ids.includes(undefined), `without operationId: ${JSON.stringify(described)}`);
    assert.equal(new Set(ids).size, ids.length);
    for (const route of [
      'post /api/events',
      'get /api/events',
      'get /api/events/{id}',
      'put /api/events/{id}',
      'delete /api/events/{id}',
    ]) {
      assert.ok(
        described.some((one) => one.route === route),
        route,
      );
    }
  });

  test('gives every error a description and an example sentence', () => {
    for (const [path, methods] of Object.entries<Document>(document.paths)) {
      for (const [method, { responses }] of Object.entries<Document>(methods)) {
        for (const [status, named] of Object.entries<Document>(responses)) {
          const response = found(named);
          assert.ok(
            response.description && response.description !== 'Default Response',
            `${method} ${path} ${status}`,
          );
          if (Number(status) < 400 || path === '/readyz') continue;
          const { schema, example } = response.content['application/json'];
          assert.ok(
            schema.$ref ?? schema.properties?.error,
            `${method} ${path} ${status} has no error schema`,
          );
          assert.equal(typeof example?.error, 'string', `${method} ${path} ${status} has no example`);
        }
      }
    }
  });

  test('names every error, and has it once', () => {
    for (const [path, methods] of Object.entries<Document>(document.paths)) {
      for (const [method, { responses }] of Object.entries<Document>(methods)) {
        for (const [status, response] of Object.entries<Document>(responses)) {
          if (Number(status) < 400) continue;
          assert.match(response.$ref ?? '', /^#\/components\/responses\/\w+$/, `${method} ${path} ${status}`);
        }
      }
    }
  });

  test('names every body and every answer', () => {
    for (const [path, methods] of Object.entries<Document>(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries<Document>(methods)) {
        for (const part of [requestBody, ...Object.values<Document>(responses).map(found)]) {
          for (const type of ['application/json', 'multipart/form-data']) {
            const schema = part?.content?.[type]?.schema;
            if (!schema) continue;
            assert.match(schema.$ref ?? '', /^#\/components\/schemas\/\w+$/, `${method} ${path}`);
            assert.ok(found(schema), schema.$ref);
          }
        }
      }
    }
  });

  test('has one kind of content for an answer and for a body, so that a client can be made from it', () => {
    for (const [path, methods] of Object.entries<Document>(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries<Document>(methods)) {
        // A file by a query, not by negotiation: bytes either way.
        if (path.endsWith('/guests/export')) continue;
        for (const part of [requestBody, ...Object.values<Document>(responses).map(found)]) {
          const kinds = Object.keys(part?.content ?? {});
          assert.ok(kinds.length <= 1, `${method} ${path}: ${kinds}`);
        }
      }
    }
  });

  test('says what many operations share once: it stays small for what it describes', () => {
    const operations = Object.values<Document>(document.paths).flatMap((methods) => Object.keys(methods));
    const bytes = Buffer.byteLength(JSON.stringify(document));
    assert.ok(bytes < 2_300 * operations.length, `${bytes} bytes for ${operations.length} operations`);
  });

  test('is a page that needs nothing from outside', async () => {
    const page = await server.call('GET', '/docs');
    assert.equal(page.status, 200);
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    assert.ok(links.length > 0);
    for (const link of links) {
      assert.ok(!/^(https?:)?\/\//.test(link), link);
      const { status } = await server.call('GET', new URL(link, 'http://x/docs/').pathname);
      assert.equal(status, 200, link);
    }
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.ok(!/https?:\/\//.test(policy), policy);
  });
});
