import type { HttpProblem } from './http/messages.ts';
import type { Words } from './languages.ts';

export interface RefusalDetails {
  headers?: Readonly<Record<string, string>>;
  /** Field of the request that caused the refusal, if any. */
  field?: string;
  /** Further members of the response's body with the refusal, such as the report of an import. */
  body?: object;
}

/**
 * Expected failure of a request: it has a status, a code for programs, and a sentence in each language, for the client.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly words: Words;
  readonly more: RefusalDetails;

  constructor(status: number, code: string, words: Words, more: RefusalDetails = {}) {
    super(words.en);
    this.status = status;
    this.code = code;
    this.words = words;
    this.more = more;
  }
}

/** Refusal that can occur in any area of the API, so that its texts are in the kernel. */
export class CommonRefusal extends Error {
  readonly status: number;
  readonly problem: HttpProblem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, problem: HttpProblem, headers: Readonly<Record<string, string>> = {}) {
    super(problem);
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }
}
