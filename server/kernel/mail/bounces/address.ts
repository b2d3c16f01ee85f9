import type { Encryption } from '../../encryption.ts';
import { isUuid } from '../../identifiers.ts';
import { isSameSecret } from '../../same-secret.ts';
import { BEFORE_TOKEN, ID_LENGTH, PROOF_LENGTH } from './token-form.ts';

/**
 * Envelope senders of mails (VERP): a bounce goes to the address of the mail that it is about. The address names the
 * mail and proves that this server made it, so that nobody can report another's mail as undeliverable.
 */
export interface BounceAddresses {
  /** Envelope sender of a mail. */
  of(mailId: string): string;
  /** Id of the mail to one of whose addresses a message was sent; undefined if no address in the text is valid. */
  mailIdIn(text: string): string | undefined;
}

export function createBounceAddresses(
  address: string,
  encryption: Pick<Encryption, 'fingerprint'>,
): BounceAddresses {
  const at = address.lastIndexOf('@');
  const [name, domain] = [address.slice(0, at), address.slice(at + 1)];
  const proofOf = (mailId: string) =>
    encryption.fingerprint(mailId, 'bounce address').toString('hex').slice(0, PROOF_LENGTH);
  const token = new RegExp(
    `${escaped(name + BEFORE_TOKEN)}([0-9a-f]{${ID_LENGTH}})([0-9a-f]{${PROOF_LENGTH}})@${escaped(domain)}`,
    'gi',
  );
  return {
    of: (mailId) => `${name}${BEFORE_TOKEN}${mailId.replaceAll('-', '')}${proofOf(mailId)}@${domain}`,
    mailIdIn(text) {
      for (const [, digits = '', proof = ''] of text.matchAll(token)) {
        const mailId = digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
        if (isUuid(mailId) && isSameSecret(proof.toLowerCase(), proofOf(mailId))) return mailId;
      }
      return undefined;
    },
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
