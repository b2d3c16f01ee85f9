/** Why a WebSocket was closed, by RFC 6455, 7.4 and IANA's registry: the service restarts, and one may come back. */
export const SERVICE_RESTART = 1012;

const CLOSE = 8;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** Of the longest header. */
const MOST_HEADER = 14;

/** Where one is in a stream of WebSocket frames: of those that a site sends, headers alone are read. */
export interface FrameReader {
  read(chunk: Buffer): void;
  /** Nothing of a frame is under way: another may be put here. */
  isBetween(): boolean;
  /** A frame said that no more will come. */
  isClosed(): boolean;
}

export function createFrameReader(): FrameReader {
  const header = Buffer.alloc(MOST_HEADER);
  let has = 0;
  let payload = 0;
  let isClosed = false;

  return {
    read(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (payload > 0) {
          const passed = Math.min(payload, chunk.length - at);
          payload -= passed;
          at += passed;
          continue;
        }
        header[has] = chunk[at] ?? 0;
        has += 1;
        at += 1;
        if (has < headerLength(header, has)) continue;
        payload = payloadLength(header);
        isClosed ||= ((header[0] ?? 0) & 0x0f) === CLOSE;
        has = 0;
      }
    },
    isBetween: () => has === 0 && payload === 0,
    isClosed: () => isClosed,
  };
}

/** How long a header is, as far as `has` bytes of it tell. */
function headerLength(header: Buffer, has: number): number {
  if (has < 2) return 2;
  const second = header[1] ?? 0;
  const mask = (second & MASKED) === 0 ? 0 : MASK_BYTES;
  const length = second & ~MASKED;
  return 2 + (length === LENGTH_16 ? 2 : length === LENGTH_64 ? 8 : 0) + mask;
}

function payloadLength(header: Buffer): number {
  const length = (header[1] ?? 0) & ~MASKED;
  if (length === LENGTH_16) return header.readUInt16BE(2);
  // What is more than a double can tell apart is more than anybody sends.
  return length === LENGTH_64 ? Number(header.readBigUInt64BE(2)) : length;
}

/** A close frame as a server sends it. */
export function closeFrame(code: number): Buffer {
  const frame = Buffer.from([MASKED | CLOSE, 2, 0, 0]);
  frame.writeUInt16BE(code, 2);
  return frame;
}
