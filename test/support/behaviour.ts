import type { Variables } from '../../server/hosting/model/variables.ts';
import type { Site } from './runtime.ts';

/** Behaviour of a test process: the script that it follows, as a real process or in the in-memory runtime. */
export interface Behaviour {
  /** Lines that the test process writes as soon as it runs. */
  lines?: readonly string[];
  /** Body of the test process's responses to HTTP requests; absent if the process does not listen. */
  answer?: string;
  /** Milliseconds from the start of the test process until it listens. */
  readyAfterMs?: number;
  /** Exit code of the test process; absent if the process runs until it is stopped. */
  exit?: number;
  /** Milliseconds from the start of the test process until it exits. */
  exitAfterMs?: number;
  /** Lines that the test process writes when it gets the signal to stop. */
  lastLines?: readonly string[];
  /** True if the test process ignores the signal to stop, so that it must be killed. */
  ignoresStop?: boolean;
}

const VARIABLE = 'BEHAVIOUR';

/** Environment variables that make the process of `scriptedSite` follow a behaviour (the script of a test process). */
export function behaviourVariables(behaviour: Behaviour): Variables {
  return { [VARIABLE]: JSON.stringify(behaviour) };
}

/**
 * Behaviour of a test process, read from its environment variables. Without them the process runs and does not respond.
 */
export function behaviourIn(variables: Variables): Behaviour {
  return JSON.parse(variables[VARIABLE] ?? '{}');
}

const PROGRAM = `
const behaviour = JSON.parse(process.env.${VARIABLE} ?? '{}');
const { lines = [], answer, readyAfterMs = 0, exit, exitAfterMs = 0, lastLines = [], ignoresStop } = behaviour;
process.on('SIGTERM', () => {
  for (const line of lastLines) console.log(line);
  if (!ignoresStop) process.exit(0);
});
for (const line of lines) console.log(line);
const { HOST, PORT } = process.env;
const listen = () => require('http').createServer((_, response) => response.end(answer)).listen(PORT, HOST);
if (answer !== undefined) setTimeout(listen, readyAfterMs);
if (exit === undefined) setInterval(() => {}, 1e6);
else setTimeout(() => process.exit(exit), exitAfterMs);
`;

/** Site whose process follows the behaviour that its environment variables describe. */
export const scriptedSite: Site = {
  files: { 'behave.js': PROGRAM, 'package.json': '{"scripts":{"start":"node behave.js"}}' },
};
