import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, loadEnvironment, readConfig } from '../../server/kernel/config.ts';
import { type DeployedSite, isUp, newDeveloper, printLine, requestPage, runGit } from './examples.ts';

// npm run demo -- apps: registers a developer, deploys the three sites of examples/ and prints their addresses; one of
// them has a worker and a preview of a branch. Uses a running server if it accepts folders as repositories; otherwise
// starts one, until Ctrl-C.

const config = readConfig(loadEnvironment());
const MAIN = new URL('../../server/main.js', import.meta.url).pathname;

if (!(await isUp(config.publicUrl))) await startServer();
else if (!config.appsGitProtocols.includes('file')) {
  throw new ConfigError(
    `A server is running at ${config.publicUrl}: stop it, or set APPS_GIT_PROTOCOLS=https,ssh,file for it and for this command, for the demo's repositories are folders.`,
  );
}

const developer = await newDeveloper(config);
console.log(`registered and verified ${developer.email}\n`);
await developer.deploy('static');
await showMore(await developer.deploy('node'));
await developer.deploy('rsvp');
console.log(`\nTheir API key, for ${config.publicUrl}/docs: ${developer.key}`);

/** Shows that a worker runs beside one of the sites, and creates a preview of a branch of that site. */
async function showMore(site: DeployedSite): Promise<void> {
  await requestPage(config.publicUrl, 'POST', `${site.address}/likes`, 'עוגת החתונה');
  const folder = site.repository.slice('file://'.length);
  runGit(folder, 'checkout', '--quiet', '-b', 'evening');
  const menu = join(folder, 'menu.md');
  await writeFile(menu, (await readFile(menu, 'utf8')).replace('# התפריט', '# תפריט הערב'));
  runGit(folder, 'commit', '--quiet', '--all', '--message', 'A menu for the evening');
  await developer.preview(site, 'evening');
  const likes = await requestPage(config.publicUrl, 'GET', `${site.address}/likes`);
  printLine('… its worker', `has counted what guests like: ${likes.text}`);
}

async function startServer(): Promise<void> {
  const protocols = [...new Set([...config.appsGitProtocols, 'file'])].join();
  const server = spawn(process.execPath, [MAIN], {
    env: { ...process.env, APPS_GIT_PROTOCOLS: protocols, LOG_LEVEL: 'warn' },
    stdio: 'inherit',
  });
  process.on('SIGTERM', () => server.kill('SIGTERM'));
  server.on('exit', (code) => process.exit(code ?? 1));
  while (!(await isUp(config.publicUrl))) await sleep(100);
  console.log(`no server was running: started one at ${config.publicUrl}; Ctrl-C ends it`);
}
