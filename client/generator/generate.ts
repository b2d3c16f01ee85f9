import { createClient } from '@hey-api/openapi-ts';
import { readReference } from './reference.ts';

/** Makes what is in `../src/generated` of the reference, into a folder that it empties. */
async function generate(output: string): Promise<void> {
  await createClient({
    input: (await readReference()) as never,
    output: { path: output, module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', { name: '@hey-api/client-fetch', throwOnError: true }],
  });
}

// `npm run client`; its test names another folder, to compare.
const [output = new URL('../src/generated', import.meta.url).pathname] = process.argv.slice(2);
await generate(output);
