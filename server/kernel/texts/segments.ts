/** The 7-bit alphabet of SMS (3GPP TS 23.038); characters of the extension table count twice. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('\f^{}\\[~]|€');

/** Number of SMS messages as which a text is sent; each of them is paid for. */
export function segmentsOf(text: string): number {
  const characters = [...text];
  if (characters.every((one) => BASIC.has(one) || EXTENDED.has(one))) {
    const septets = characters.reduce((sum, one) => sum + (EXTENDED.has(one) ? 2 : 1), 0);
    return septets <= 160 ? 1 : Math.ceil(septets / 153);
  }
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}
