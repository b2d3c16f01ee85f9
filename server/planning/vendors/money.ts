/** Agorot, hundredths of a shekel: whole numbers, so that sums are exact. */
export type Agorot = bigint;

/** The agorot of an amount as the database writes a numeric(12,2): `1250.50`. */
export function agorot(amount: string): Agorot {
  const [, sign, whole, hundredths = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new Error(`not an amount of money: ${amount}`);
  const value = BigInt(whole) * 100n + BigInt(hundredths.padEnd(2, '0'));
  return sign ? -value : value;
}

/** The agorot of an amount as the API takes it: a number with at most two decimals. */
export function agorotOf(amount: number): Agorot {
  return BigInt(Math.round(amount * 100));
}

/** Shekels as the API shows them: a number with at most two decimals. */
export function shekels(amount: Agorot): number {
  return Number(amount) / 100;
}
