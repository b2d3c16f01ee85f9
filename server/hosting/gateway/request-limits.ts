/** Limits that an application sets for requests to its sites; null: the default. */
export interface ApplicationLimits {
  response_seconds: number | null;
  max_body_mb: number | null;
}

/** Limits of one request to a site. */
export interface RequestLimits {
  /** Time within which the site must begin its answer, in milliseconds. */
  answerMs: number;
  /** Largest body, in bytes. */
  bodyBytes: number;
}

/** Limits that apply to every site, in milliseconds and bytes. */
export interface OperatorLimits {
  /** Time for the beginning of an answer where an application sets none. */
  answerMs: number;
  mostAnswerMs: number;
  mostBodyBytes: number;
}

const MEBIBYTE = 2 ** 20;

/** Limits of a request to a site. An application's own ones count as far as the operator's allow. */
export function requestLimits(
  { response_seconds: seconds, max_body_mb: mebibytes }: ApplicationLimits,
  { answerMs, mostAnswerMs, mostBodyBytes }: OperatorLimits,
): RequestLimits {
  return {
    answerMs: Math.min(seconds === null ? answerMs : seconds * 1_000, mostAnswerMs),
    bodyBytes: Math.min(mebibytes === null ? mostBodyBytes : mebibytes * MEBIBYTE, mostBodyBytes),
  };
}

/** Largest body that APPS_BODY_MB allows, in bytes; 0 MiB stands for no limit. */
export function mostBodyBytes(mebibytes: number): number {
  return mebibytes === 0 ? Number.POSITIVE_INFINITY : mebibytes * MEBIBYTE;
}
