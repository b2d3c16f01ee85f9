import type { Deployment, Preview } from 'simcha-client';
import type { Tone } from '../../../components/tone-badge.tsx';

/** State of a site, a preview or a deployment. */
export type State = Preview['status'] | Deployment['status'];

const TONES: Readonly<Record<State, Tone>> = {
  created: 'quiet',
  deploying: 'wait',
  live: 'good',
  stopped: 'quiet',
  down: 'bad',
  failed: 'bad',
  asleep: 'quiet',
  queued: 'wait',
  building: 'wait',
  starting: 'wait',
  superseded: 'quiet',
  cancelled: 'quiet',
};

export const toneOf = (state: State): Tone => TONES[state];

/** True while a deployment may still change. */
export const isUnderWay = ({ status }: Pick<Deployment, 'status'>): boolean =>
  status === 'queued' || status === 'building' || status === 'starting';
