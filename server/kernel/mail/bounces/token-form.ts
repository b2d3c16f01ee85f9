/**
 * Text in a bounce address (`bounces+<token>@example.com`) between the operator's name for the address and the token of
 * a mail.
 */
export const BEFORE_TOKEN = '+';
/** Length of the mail's id in the token of a bounce address, in hexadecimal digits. */
export const ID_LENGTH = 32;
/** Length of the proof that this server made the token of a bounce address, in hexadecimal digits. */
export const PROOF_LENGTH = 16;
/** Longest name, before the @, of a bounce address with room for a token: there may be 64 characters (RFC 5321). */
export const LONGEST_BOUNCE_NAME = 64 - BEFORE_TOKEN.length - ID_LENGTH - PROOF_LENGTH;
