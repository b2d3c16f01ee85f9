import type { Variables } from '../../server/hosting/model/variables.ts';
import type { Site } from './runtime.ts';

/** Script of a process in tests, the same for real processes and for those of the in-memory runtime. */
export interface Behaviour {
  /** Lines that it writes as soon as it runs. */
  lines?: readonly string[];
  /** Body of its answers to HTTP requests; absent: it does not listen. */
  answer?: string;
  /** Milliseconds until it listens. */
  readyAfterMs?: number;
  /** Exit code; absent: it runs until it is stopped. */
  exit?: number;
  /** Milliseconds until it exits. */
  exitAfterMs?: number;
  /** Lines that it writes when it is asked to end. */
  lastLines?: readonly string[];
  /** True if it does not end when it is asked to, so it must be killed. */
  ignoresStop?: boolean;
}

const VARIABLE = 'BEHAVIOUR';

/** Variables with which a process behaves as described. */
export function behaviourVariables(behaviour: Behaviour): Variables {
  return { [VARIABLE]: JSON.stringify(behaviour) };
}

/** Behaviour that variables describe; a process without one runs and answers nothing. */
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

/** Site whose process behaves as its variables say. */
export const scriptedSite: Site = {
  files: { 'behave.js': PROGRAM, 'package.json': '{"scripts":{"start":"node behave.js"}}' },
};
