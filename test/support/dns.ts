import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';

export interface NameServer extends AsyncDisposable {
  /** Address of the test's DNS server, for the setting APPS_DNS_SERVERS. */
  address: string;
  /** DNS records by name. Each text is a record, given in several pieces; a name without records gets NXDOMAIN. */
  records: Map<string, { cname?: string; txt?: string[] }>;
  /** True while the DNS server responds to every question with SERVFAIL. */
  failing: boolean;
  /** Host names that clients asked the DNS server about. */
  asked: string[];
}

const NXDOMAIN = 3;
const SERVFAIL = 2;
const IS_AUTHORITY = 1 << 10;

/** Starts a DNS server on UDP that serves the test's records. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const server: NameServer = {
    address: '',
    records: new Map(),
    failing: false,
    asked: [],
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
  socket.on('message', (bytes, { port, address }) => {
    const query = decode(bytes);
    const [question] = query.questions ?? [];
    if (!question) return;
    server.asked.push(`${question.type} ${question.name}`);
    const known = server.records.get(question.name.toLowerCase());
    const { name } = question;
    const cname = question.type === 'CNAME' ? known?.cname : undefined;
    const texts = (question.type === 'TXT' && known?.txt) || [];
    socket.send(
      encode({
        type: 'response',
        id: query.id ?? 0,
        flags: IS_AUTHORITY | (server.failing ? SERVFAIL : known ? 0 : NXDOMAIN),
        questions: [question],
        answers: [
          ...(cname ? [{ type: 'CNAME' as const, name, ttl: 1, data: cname }] : []),
          ...texts.map((text) => ({
            type: 'TXT' as const,
            name,
            ttl: 1,
            data: text.match(/.{1,20}/g) ?? [''],
          })),
        ],
      }),
      port,
      address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}
