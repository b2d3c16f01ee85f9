import { StringDecoder } from 'node:string_decoder';
import { messages } from './messages.ts';

export interface LineReader {
  push(chunk: Buffer): void;
  /** Gives the last line, which has no newline. */
  end(): void;
}

/**
 * Splits output into lines. Of a line longer than `most` UTF-16 units the head is given and the rest left out,
 * so a site that never ends its line costs no memory. `most` is larger than the longest secret plus what is
 * shown of a line, so that hiding secrets sees them whole.
 */
export function createLineReader(most: number, onLine: (line: string) => void): LineReader {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let cut = false;

  const give = () => {
    const line = pending.endsWith('\r') ? pending.slice(0, -1) : pending;
    onLine(cut ? line + messages.lineCut : line);
    pending = '';
    cut = false;
  };
  const take = (text: string) => {
    const room = most - pending.length;
    if (text.length > room) cut = true;
    pending += text.length > room ? text.slice(0, room) : text;
  };

  return {
    push(chunk) {
      const [first = '', ...rest] = decoder.write(chunk).split('\n');
      take(first);
      for (const text of rest) {
        give();
        take(text);
      }
    },
    end() {
      take(decoder.end());
      if (pending) give();
    },
  };
}
