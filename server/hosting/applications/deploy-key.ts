import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

export interface DeployKey {
  /** Public key as in an authorized_keys file, or as pasted into a repository's settings. */
  publicKey: string;
  /** Private key as ssh reads it from a file with mode 0600. */
  privateKey: string;
}

const TYPE = 'ssh-ed25519';
const CIPHER_BLOCK = 8;

/**
 * Creates an ed25519 key pair in OpenSSH's own format (PROTOCOL.key of openssh-portable), the only one that older
 * clients read for ed25519.
 */
export async function newDeployKey(comment: string): Promise<DeployKey> {
  const { privateKey: made } = await promisify(generateKeyPair)('ed25519');
  const { x = '', d = '' } = made.export({ format: 'jwk' });
  const open = Buffer.from(x, 'base64url');
  const secret = Buffer.from(d, 'base64url');

  const publicBlob = Buffer.concat([field(TYPE), field(open)]);
  const check = randomBytes(4);
  const inner = Buffer.concat([
    check,
    check,
    field(TYPE),
    field(open),
    field(Buffer.concat([secret, open])),
    field(comment),
  ]);
  const missing = (CIPHER_BLOCK - (inner.length % CIPHER_BLOCK)) % CIPHER_BLOCK;
  const padding = Buffer.from(Array.from({ length: missing }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    number(1),
    field(publicBlob),
    field(Buffer.concat([inner, padding])),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return {
    publicKey: `${TYPE} ${publicBlob.toString('base64')} ${comment}`,
    privateKey: [
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      ...lines,
      '-----END OPENSSH PRIVATE KEY-----',
      '',
    ].join('\n'),
  };
}

/** Encodes a text or bytes as OpenSSH's key format needs them, with their length in front. */
function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([number(bytes.length), bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
