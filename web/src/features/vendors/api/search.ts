import type { Vendor } from 'simcha-client';

export type Kind = Vendor['kind'];

export const KINDS = [
  'hall',
  'catering',
  'cakes',
  'bar',
  'photographer',
  'videographer',
  'dj',
  'band',
  'rabbi',
  'flowers',
  'design',
  'makeup',
  'dress',
  'invitations',
  'transport',
  'security',
  'planner',
  'other',
] as const satisfies Kind[];

export const isKind = (value: unknown): value is Kind => KINDS.includes(value as Kind);

export const STATES = ['pending', 'confirmed', 'cancelled'] as const;
export type State = (typeof STATES)[number];

/** Of the address of an event's vendors. */
export interface BookingSearch {
  status?: State;
  /** Which one is open; `new`: one that is to be added. */
  booking?: string;
}

export function readBookingSearch({ status, booking }: Record<string, unknown>): BookingSearch {
  return {
    ...(STATES.includes(status as State) && { status: status as State }),
    ...(typeof booking === 'string' && booking !== '' && { booking }),
  };
}

/** Of the address of one's own vendors. */
export interface VendorSearch {
  q?: string;
  kind?: Kind;
  /** Which one is open; `new`: one that is to be added. */
  vendor?: string;
}

export function readVendorSearch({ q, kind, vendor }: Record<string, unknown>): VendorSearch {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(isKind(kind) && { kind }),
    ...(typeof vendor === 'string' && vendor !== '' && { vendor }),
  };
}
