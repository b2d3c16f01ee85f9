/** WebSocket close code (RFC 6455, 7.4; IANA registry): the service restarts, and the client may reconnect. */
export const SERVICE_RESTART = 1012;

const CLOSE = 8;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** Length of the longest possible header of a WebSocket frame, in bytes. */
const MOST_HEADER = 14;

/** Tracks the position in a site's stream of WebSocket frames. Only frame headers are parsed. */
export interface FrameReader {
  read(chunk: Buffer): void;
  /** True if the site's stream is between two WebSocket frames, so that another frame may be inserted here. */
  isBetween(): boolean;
  /** True if the site has sent a WebSocket close frame: no frames follow it. */
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

/** Length of a WebSocket frame's header in bytes, as far as it is known from the header's first `has` bytes. */
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
  // Frame lengths above 2^53 are not exact as numbers; nobody sends WebSocket frames of that size.
  return length === LENGTH_64 ? Number(header.readBigUInt64BE(2)) : length;
}

/** WebSocket frame that closes the connection, as a server sends it: without the mask that clients must use. */
export function closeFrame(code: number): Buffer {
  const frame = Buffer.from([MASKED | CLOSE, 2, 0, 0]);
  frame.writeUInt16BE(code, 2);
  return frame;
}
