/** Amount of money in agorot (hundredths of a shekel). It is a whole number, so that sums are exact. */
export type Agorot = bigint;

/** Parses an amount of money as the database writes a numeric(12,2): `1250.50`. */
export function parseAgorot(amount: string): Agorot {
  const [, sign, whole, hundredths = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new Error(`not an amount of money: ${amount}`);
  const value = BigInt(whole) * 100n + BigInt(hundredths.padEnd(2, '0'));
  return sign ? -value : value;
}

/** Converts an amount in shekels, as the API gives it with at most two decimals, to agorot. */
export function toAgorot(amount: number): Agorot {
  return BigInt(Math.round(amount * 100));
}

/** Converts an amount in agorot to shekels for the API: a number with at most two decimals. */
export function toShekels(amount: Agorot): number {
  return Number(amount) / 100;
}
