import type { Vendor } from 'simcha-client';

export type VendorKind = Vendor['kind'];

export const VENDOR_KINDS = [
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
] as const satisfies VendorKind[];

export const isVendorKind = (value: unknown): value is VendorKind =>
  VENDOR_KINDS.includes(value as VendorKind);

export const BOOKING_STATES = ['pending', 'confirmed', 'cancelled'] as const;
export type BookingState = (typeof BOOKING_STATES)[number];

/** Search parameters of the address of the page with an event's vendors. */
export interface BookingSearch {
  status?: BookingState | undefined;
  /** Identifier of the open booking; `new` opens the form for a new booking. */
  booking?: string | undefined;
}

export function readBookingSearch({ status, booking }: Record<string, unknown>): BookingSearch {
  // All search parameters are named here, because the router passes on unnamed parameters without a check.
  return {
    status: BOOKING_STATES.find((state) => state === status),
    booking: typeof booking === 'string' && booking !== '' ? booking : undefined,
  };
}

/** Search parameters of the address of the page with all vendors of the user. */
export interface VendorSearch {
  q?: string | undefined;
  kind?: VendorKind | undefined;
  /** Identifier of the open vendor; `new` opens the form for a new vendor. */
  vendor?: string | undefined;
}

export function readVendorSearch({ q, kind, vendor }: Record<string, unknown>): VendorSearch {
  return {
    // The router reads a search parameter of digits only as a number.
    q: (typeof q === 'string' && q !== '') || typeof q === 'number' ? String(q) : undefined,
    kind: isVendorKind(kind) ? kind : undefined,
    vendor: typeof vendor === 'string' && vendor !== '' ? vendor : undefined,
  };
}
