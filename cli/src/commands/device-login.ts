import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  type DeviceSignedIn,
  pollDeviceLogin,
  SimchaError,
  startDeviceLogin,
} from 'simcha-client';
import { CommandError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';

/** Seconds added to the pause between two questions when the server says that this device asks too often (RFC 8628). */
const SLOWER = 5;

/** Messages for a login that ended without a token, by the code of the server's error. */
const ENDS: Readonly<Record<string, string>> = {
  expired_token: 'The code has expired.',
  access_denied: 'The sign-in was refused in the browser.',
};

/**
 * Signs in by the device flow (RFC 8628): prints an address and a code, and waits until somebody who is signed in there
 * has confirmed the code.
 */
export async function logInByDevice(client: Client, name: string, output: Output): Promise<DeviceSignedIn> {
  const { data: started } = await startDeviceLogin({ client, body: { client: name } });
  const { bold, cyan } = output.stderr.colours;
  process.stderr.write(
    `Open ${cyan(started.verification_uri_complete)}\nand confirm the code ${bold(started.user_code)}\nWaiting … (Ctrl+C ends)\n`,
  );
  let { interval } = started;
  for (;;) {
    await sleep(interval * 1000);
    try {
      return (await pollDeviceLogin({ client, body: { device_code: started.device_code } })).data;
    } catch (error) {
      const code = error instanceof SimchaError ? error.code : undefined;
      if (code === 'slow_down') interval += SLOWER;
      else if (code !== 'authorization_pending') throw endOf(code) ?? error;
    }
  }
}

function endOf(code = ''): CommandError | undefined {
  const said = ENDS[code];
  return said === undefined
    ? undefined
    : new CommandError(said, { hint: 'Sign in again: simcha login', exitCode: EXIT.notSignedIn });
}
