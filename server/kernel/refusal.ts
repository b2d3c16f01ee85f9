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

/** A 400 for one field, in an area's own words; what any field can have wrong is a FieldProblem. */
export function invalidField(field: string, sentence: string): Refusal {
  return new Refusal(400, 'invalid_field', `${field}: ${sentence}`);
}
