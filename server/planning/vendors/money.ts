/** Agorot, hundredths of a shekel: whole numbers, so that sums are exact. */
export type Agorot = bigint;

/** Parses an amount as the database writes a numeric(12,2): `1250.50`. */
export function parseAgorot(amount: string): Agorot {
  const [, sign, whole, hundredths = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new Error(`not an amount of money: ${amount}`);
  const value = BigInt(whole) * 100n + BigInt(hundredths.padEnd(2, '0'));
  return sign ? -value : value;
}

/** Converts an amount in shekels from the API: a number with at most two decimals. */
export function toAgorot(amount: number): Agorot {
  return BigInt(Math.round(amount * 100));
}

/** Converts an amount to shekels for the API: a number with at most two decimals. */
export function toShekels(amount: Agorot): number {
  return Number(amount) / 100;
}
