import { inSpan, type Tracing } from '../tracing/tracing.ts';
import type { Transport } from './transport.ts';

/** Transport that makes a span of each mail that it hands over; the span names neither recipient nor content. */
export function tracedTransport(transport: Transport, tracing: Tracing): Transport {
  if (!tracing.isOn) return transport;
  const attributes = { 'simcha.mail.destination': transport.destination };
  return {
    ...transport,
    deliver: (id, content) =>
      inSpan(tracing, 'mail', { kind: 'client', attributes: { ...attributes, 'simcha.mail.id': id } }, () =>
        transport.deliver(id, content),
      ),
  };
}
