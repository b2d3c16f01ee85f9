import type { Domain } from 'simcha-client';
import type { Tone } from '../../../components/tone-badge.tsx';

/**
 * State of a custom domain. `waiting`: its record was not found yet. `wrong`: a record stands in the way. `found`: the
 * record is right, and the certificate is requested at the first visit.
 */
export type DomainState = 'waiting' | 'wrong' | 'found' | 'live';

export const DOMAIN_TONES: Readonly<Record<DomainState, Tone>> = {
  waiting: 'wait',
  wrong: 'bad',
  found: 'good',
  live: 'good',
};

type Facts = Pick<Domain, 'status' | 'problem' | 'address' | 'certificate_asked_at'>;

export function stateOf({ status, problem, address, certificate_asked_at: asked }: Facts): DomainState {
  if (status === 'pending') return problem === 'record_wrong' || problem === 'taken' ? 'wrong' : 'waiting';
  return address.startsWith('https:') && asked === null ? 'found' : 'live';
}
