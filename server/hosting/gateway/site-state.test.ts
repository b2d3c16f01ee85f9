import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from './backend.ts';
import { type GatewayView, type SiteDecision, stateOfSite } from './site-state.ts';

const HERE = 'here';
const ADDRESS = 'http://10.0.0.2:3000';
const TARGET: Target = { kind: 'server', origin: 'http://127.0.0.1:41001' };
const PEER: Target = { kind: 'peer', origin: ADDRESS, site: 'e' };
const SERVING = [{ id: 'i', targets: [{ kind: 'server', origin: 'http://127.0.0.1:41001' } as const] }];

type Row = Parameters<typeof stateOfSite>[0];

/** Environment that should be live on this machine, but serves nothing. */
const ROW: Row = {
  environment_id: 'e',
  desired: 'live',
  is_coming: false,
  serving: [],
  sticky: false,
  is_off: false,
  machine: HERE,
  address: null,
  is_heard: true,
};
const NOW: GatewayView = { targets: [], hosted: 'hosted' };
const ELSEWHERE: Partial<Row> = { machine: 'other', address: ADDRESS, serving: SERVING };

const live = (target: Target) => ({ state: 'live' as const, targets: [target] });

const CASES: readonly [name: string, row: Partial<Row>, now: Partial<GatewayView>, expected: SiteDecision][] =
  [
    ['never deployed', { desired: null }, {}, { state: 'none' }],
    ['first deployment under way', { desired: null, is_coming: true }, {}, { state: 'starting' }],
    [
      'first version serves before its row is written',
      { desired: null, is_coming: true },
      { targets: [TARGET] },
      { ...live(TARGET), sticky: false },
    ],
    ['stopped', { desired: 'stopped' }, {}, { state: 'stopped' }],
    [
      'stopped, although an instance still serves',
      { desired: 'stopped', serving: SERVING },
      { targets: [TARGET] },
      { state: 'stopped' },
    ],
    ['stopped, and started again', { desired: 'stopped', is_coming: true }, {}, { state: 'starting' }],
    ['asleep', { desired: 'asleep' }, {}, { state: 'asleep' }],
    ['asleep, and deployed again', { desired: 'asleep', is_coming: true }, {}, { state: 'starting' }],
    ['live here', { serving: SERVING }, { targets: [TARGET] }, { ...live(TARGET), sticky: false }],
    [
      'live here with sticky sessions',
      { serving: SERVING, sticky: true },
      { targets: [TARGET] },
      { ...live(TARGET), sticky: true },
    ],
    [
      'live here while a new version is built',
      { serving: SERVING, is_coming: true },
      { targets: [TARGET] },
      { ...live(TARGET), sticky: false },
    ],
    [
      'down, although an instance still serves',
      { desired: 'down', serving: SERVING },
      { targets: [TARGET] },
      { ...live(TARGET), sticky: false },
    ],
    ['live on a peer', ELSEWHERE, {}, live(PEER)],
    ['live on a peer; the peer chooses the replica', { ...ELSEWHERE, sticky: true }, {}, live(PEER)],
    ['live on a peer that has no address', { ...ELSEWHERE, address: null }, {}, { state: 'elsewhere' }],
    ['live on a peer whose lease is late', { ...ELSEWHERE, is_heard: false }, {}, { state: 'returning' }],
    ['peer without an instance', { ...ELSEWHERE, serving: [] }, {}, { state: 'returning' }],
    [
      'peer whose instance has no target',
      { ...ELSEWHERE, serving: [{ id: 'i', targets: [] }] },
      {},
      { state: 'returning' },
    ],
    ['scaled to zero', { is_off: true }, {}, { state: 'stopped' }],
    [
      'scaled to zero, but the last instance still serves',
      { is_off: true },
      { targets: [TARGET] },
      { ...live(TARGET), sticky: false },
    ],
    ['nothing serves yet', {}, {}, { state: 'returning' }],
    ['nothing serves yet, and the lease is late', {}, { hosted: 'late' }, { state: 'returning' }],
    ['no server runs sites', { machine: null, is_heard: null }, { hosted: 'nobody' }, { state: 'unhosted' }],
    ['no server has run sites yet', { machine: null, is_heard: null }, {}, { state: 'returning' }],
    ['down', { desired: 'down' }, {}, { state: 'down' }],
    ['down, although no server runs sites', { desired: 'down' }, { hosted: 'nobody' }, { state: 'down' }],
  ];

for (const [name, row, now, expected] of CASES) {
  test(`${name}: ${expected.state}`, () =>
    assert.deepEqual(stateOfSite({ ...ROW, ...row }, HERE, { ...NOW, ...now }), expected));
}
