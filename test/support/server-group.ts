import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComposeOptions, Simcha } from '../../server/compose.ts';
import { type Client, createClient } from './client.ts';
import { KEY, postgresDatabase, queryDatabase, SECRET } from './server.ts';
import { settingsAmongServers, startInProcess } from './several-servers.ts';

export interface ServerGroupMember {
  url: string;
  port: number;
  dataDir: string;
  simcha: Simcha;
  /** API key of a verified developer, valid on all servers of the group. */
  key: string;
  /** Client that sends the developer's API key. */
  call: Client;
  close(): Promise<void>;
}

/** Group of servers on one PostgreSQL, each with settings as if on a machine of its own. None runs until `start`. */
export async function newServerGroup() {
  const database = await postgresDatabase('simcha_template');
  const folders: string[] = [];
  const members = new Set<ServerGroupMember>();
  let key: string | undefined;

  const keyBy = async (call: Client): Promise<string> => {
    const { body } = await call('POST', '/api/v1/users/register', { body: { email: 'noa@example.com' } });
    await queryDatabase(database.url, 'update users set verified = true');
    return body.api_key;
  };
  return {
    databaseUrl: database.url,
    async start(env: Record<string, string> = {}, choices: ComposeOptions = {}): Promise<ServerGroupMember> {
      const folder = await mkdtemp(join(tmpdir(), 'simcha-member-'));
      folders.push(folder);
      const settings = await settingsAmongServers({
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        JWT_SECRET: SECRET,
        ENCRYPTION_KEY: KEY,
        APPS_GIT_PROTOCOLS: 'file',
        RATE_LIMIT: '1000000',
        STRICT_RATE_LIMIT: '1000000',
        LOG_LEVEL: process.env.SIMCHA_TEST_LOG ?? 'silent',
      });
      const simcha = await startInProcess({ ...settings, ...env }, choices);
      const { port } = simcha.app.server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      key ??= await keyBy(createClient(url));
      const member: ServerGroupMember = {
        url,
        port,
        dataDir: folder,
        simcha,
        key,
        call: createClient(url, { headers: { 'x-api-key': key } }),
        async close() {
          if (members.delete(member)) await simcha.close();
        },
      };
      members.add(member);
      return member;
    },
    async [Symbol.asyncDispose]() {
      for (const member of members) await member.close();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
      await database.drop();
    },
  };
}
