/** What the 7-bit alphabet of SMS has (3GPP TS 23.038); what stands in the second counts double. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('\f^{}\\[~]|€');

/** How many messages a text goes out as, each of which is paid for. */
export function segmentsOf(text: string): number {
  const characters = [...text];
  if (characters.every((one) => BASIC.has(one) || EXTENDED.has(one))) {
    const septets = characters.reduce((sum, one) => sum + (EXTENDED.has(one) ? 2 : 1), 0);
    return septets <= 160 ? 1 : Math.ceil(septets / 153);
  }
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}
