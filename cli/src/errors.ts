import { SimchaError } from 'simcha-client';
import { EXIT } from './exit-codes.ts';

/** Expected failure of a command: a sentence, what to do next, and the exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, { hint, exitCode = EXIT.failed }: { hint?: string; exitCode?: number } = {}) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** What can be wrong with a file that a command reads or writes. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'can’t be opened: you lack the permission',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is no folder',
  EEXIST: 'exists already',
  ENOSPC: 'can’t be written: the disk is full',
};

const REACHING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection was cut off',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https; try http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
};

/** Error of a request that got no response. */
export class UnreachableError extends CommandError {
  constructor(url: string, cause: unknown) {
    const { code, message } = (cause ?? {}) as { code?: string; message?: string };
    const why = REACHING[code ?? ''] ?? message ?? 'the connection failed';
    super(`${url} can’t be reached: ${why}.`, {
      hint: 'Check the address (simcha profiles) and your network, then try again.',
      exitCode: EXIT.unreachable,
    });
  }
}

/** Error of a command that was called without something it needs, or with something that contradicts itself. */
export function usageError(message: string, hint?: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, ...(hint !== undefined && { hint }) });
}

export interface Failure {
  message: string;
  hint?: string | undefined;
  exitCode: number;
}

/** Converts any error to what the user reads and the exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) return error;
  if (error instanceof SimchaError) return refusalOf(error);
  if (!(error instanceof Error)) return { message: String(error), exitCode: EXIT.failed };
  // The class of inquirer's error for Ctrl+C at a question.
  if (error.name === 'ExitPromptError') return { message: 'Nothing was done.', exitCode: EXIT.interrupted };
  const { code = '', path } = error as NodeJS.ErrnoException;
  const problem = path === undefined ? undefined : FILE_PROBLEMS[code];
  return { message: problem ? `${path} ${problem}.` : error.message, exitCode: EXIT.failed };
}

/** Next steps after a refusal, by the error's code. */
const STEPS: Readonly<Record<string, string>> = {
  unverified: 'Sign in with a mailed code to verify your address: simcha login --email you@example.com',
  token_expired: 'Sign in again: simcha login',
  wrong_code: 'Sign in again: another code is mailed.',
  scope_missing: 'Use a token with this scope, or sign in: simcha login',
  token_restricted: 'Use a token without this restriction, or sign in: simcha login',
  registration_closed: 'Ask the server’s operator for an invitation, and pass it as --invitation.',
  over_budget: 'Stop or scale down a site, or ask the server’s operator for a larger budget.',
  source_is_repository:
    'Deploy a commit of it: simcha deploy. Or change it: simcha apps update --source upload',
  source_is_image: 'Deploy its image: simcha deploy. Or change it: simcha apps update --source upload',
  no_repository: 'Deploy it: simcha deploy. For a repository: simcha apps update --repository <address>',
  no_source: 'Upload a folder: simcha deploy --dir .',
  nothing_to_deploy: 'Deploy first: simcha deploy',
};

/** Failure of a request whose token or key the server does not accept. The server's own sentence is about headers. */
function refusedAccess(code: string, message: string, hint: string | undefined): Failure {
  const exitCode = EXIT.notSignedIn;
  if (code !== 'unauthorized') return { message, hint: hint ?? 'Sign in: simcha login', exitCode };
  if (process.env.SIMCHA_TOKEN)
    return {
      message:
        'The server does not accept SIMCHA_TOKEN: it has expired, was revoked, or is of another server.',
      hint: 'Make another token: simcha tokens create <name>. To use the one of simcha login: unset SIMCHA_TOKEN',
      exitCode,
    };
  return {
    message: 'Your sign-in is no longer valid: it has expired or was revoked.',
    hint: 'Sign in: simcha login',
    exitCode,
  };
}

function refusalOf(error: SimchaError): Failure {
  const { status, code = '', message, retryAfter, requestId } = error;
  const hint = STEPS[code];
  if (status === 401) return refusedAccess(code, message, hint);
  if (status === 403) return { message, hint, exitCode: EXIT.notSignedIn };
  if (status === 404) return { message, hint, exitCode: EXIT.notFound };
  if (status === 429) {
    const later = retryAfter === undefined ? 'Try again later.' : `Try again in ${retryAfter} s.`;
    return { message, hint: hint ?? later, exitCode: EXIT.failed };
  }
  if (status >= 500) {
    const asked = requestId === undefined ? '' : ` The server’s log has it as request ${requestId}.`;
    return { message, hint: `Try again in a minute.${asked}`, exitCode: EXIT.unreachable };
  }
  return { message, hint, exitCode: EXIT.failed };
}
