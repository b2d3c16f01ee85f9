const LONGEST = 254;
const LONGEST_LOCAL = 64;
// Pattern of the part of a mail address before the @: RFC 5321's dot-atom, in ASCII. Quoted local parts, comments, IP
// address literals and lists are refused.
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** True if `text` is one mail address of the usual form, which is harmless in a header and in an SMTP command. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    text.length <= LONGEST &&
    local.length <= LONGEST_LOCAL &&
    LOCAL.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/**
 * Address within a text as people paste it: without direction marks, which Hebrew and Arabic text has, without
 * `mailto:` and without the name in `Dana <dana@example.com>`. Whether it is an address is for `isMailAddress` to say.
 */
export function pastedAddress(text: string): string {
  const plain = text.replace(/\p{Cf}/gu, '').trim();
  const [, bracketed] = /<([^<>]+)>$/.exec(plain) ?? [];
  return (bracketed ?? plain).trim().replace(/^mailto:/i, '');
}
