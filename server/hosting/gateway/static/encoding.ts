/** Content codings that the gateway sends, best first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Supported codings that an `Accept-Encoding` header allows, best first (RFC 9110, 12.5.3). */
export function acceptedEncodings(header = ''): Encoding[] {
  const weights = new Map<string, number>();
  for (const part of header.split(',', 32)) {
    const [coding = '', ...parameters] = part.trim().toLowerCase().split(';');
    weights.set(coding.trim(), Number(/^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters.join(';'))?.[1] ?? 1));
  }
  const weight = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  return ENCODINGS.filter((coding) => weight(coding) > 0).sort((a, b) => weight(b) - weight(a));
}
