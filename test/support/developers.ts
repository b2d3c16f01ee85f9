import { randomUUID } from 'node:crypto';
import { type Client, createClient } from './client.ts';
import { codeTo } from './outbox.ts';
import type { TestServer } from './server.ts';

export interface TestDeveloper {
  userId: string;
  apiKey: string;
  email: string;
  /** Client that sends the developer's API key with each request. */
  call: Client;
}

/** Registers a developer and, by default, verifies their address with the code in the outbox. */
export async function newDeveloper(
  server: Pick<TestServer, 'url' | 'dataDir' | 'call'>,
  { verified = true, email = `developer-${randomUUID()}@example.com` } = {},
): Promise<TestDeveloper> {
  const { body } = await server.call('POST', '/api/v1/users/register', { body: { email } });
  if (verified) {
    const code = await codeTo(server.dataDir, email);
    await server.call('POST', '/api/v1/users/verify', { body: { code, email } });
  }
  const call = createClient(server.url, { headers: { 'x-api-key': body.api_key } });
  return { userId: body.user_id, apiKey: body.api_key, email, call };
}
