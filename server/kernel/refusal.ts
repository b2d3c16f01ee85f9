/**
 * An expected failure on its way to the client: a status, a sentence in the client's language,
 * and a code for machines (left out of the event API's bodies, which carry the sentence alone).
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    sentence: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
