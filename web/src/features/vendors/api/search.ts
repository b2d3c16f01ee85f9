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
  status?: State | undefined;
  /** Which one is open; `new`: one that is to be added. */
  booking?: string | undefined;
}

export function readBookingSearch({ status, booking }: Record<string, unknown>): BookingSearch {
  // What is not named here again would stay as it came.
  return {
    status: STATES.find((state) => state === status),
    booking: typeof booking === 'string' && booking !== '' ? booking : undefined,
  };
}

/** Of the address of one's own vendors. */
export interface VendorSearch {
  q?: string | undefined;
  kind?: Kind | undefined;
  /** Which one is open; `new`: one that is to be added. */
  vendor?: string | undefined;
}

export function readVendorSearch({ q, kind, vendor }: Record<string, unknown>): VendorSearch {
  return {
    // Digits alone come as a number.
    q: (typeof q === 'string' && q !== '') || typeof q === 'number' ? String(q) : undefined,
    kind: isKind(kind) ? kind : undefined,
    vendor: typeof vendor === 'string' && vendor !== '' ? vendor : undefined,
  };
}
