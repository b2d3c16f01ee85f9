import type { NewVendor, Vendor, VendorChanges } from 'simcha-client';
import type { VendorKind } from '../api/search.ts';

/** Values of the vendor form; an empty field is ''. */
export type VendorValues = {
  name: string;
  kind: VendorKind | null;
  contact_name: string;
  phone: string;
  email: string;
  kashrut_level: Vendor['kashrut_level'];
  kashrut_issuer: string;
  kashrut_expiry_date: string | null;
  vendor_note: string;
};

export const emptyVendor: VendorValues = {
  name: '',
  kind: null,
  contact_name: '',
  phone: '',
  email: '',
  kashrut_level: 'none',
  kashrut_issuer: '',
  kashrut_expiry_date: null,
  vendor_note: '',
};

export const vendorValuesOf = (vendor: Vendor): VendorValues => ({
  name: vendor.name,
  kind: vendor.kind,
  contact_name: vendor.contact_name ?? '',
  phone: vendor.phone ?? '',
  email: vendor.email ?? '',
  kashrut_level: vendor.kashrut_level,
  kashrut_issuer: vendor.kashrut_issuer ?? '',
  kashrut_expiry_date: vendor.kashrut_expiry_date,
  vendor_note: vendor.note ?? '',
});

export const vendorBodyOf = (values: VendorValues): NewVendor => ({
  name: values.name.trim(),
  kind: values.kind ?? 'other',
  contact_name: values.contact_name.trim() || null,
  phone: values.phone.trim() || null,
  email: values.email.trim() || null,
  kashrut_level: values.kashrut_level,
  kashrut_issuer: values.kashrut_issuer.trim() || null,
  kashrut_expiry_date: values.kashrut_expiry_date,
  note: values.vendor_note.trim() || null,
});

/**
 * Fields of the vendor form that differ from `before`. Unchanged fields are not sent, so that they can't undo somebody
 * else's change.
 */
export function vendorChangesOf(values: VendorValues, before: VendorValues): VendorChanges {
  const same = vendorBodyOf(before);
  const changed = Object.entries(vendorBodyOf(values)).filter(
    ([name, value]) => value !== same[name as keyof NewVendor],
  );
  return Object.fromEntries(changed);
}

/**
 * Name of the vendor form's field for a field of the API. The vendor's note has another name, since a booking beside it
 * has a note too.
 */
export const fieldOfVendor = (field: string): string => (field === 'note' ? 'vendor_note' : field);

/** True for a kind of vendor that serves food, so that a kashrut certificate is needed. */
export const servesFood = (kind: string | null): boolean =>
  kind === 'catering' || kind === 'cakes' || kind === 'hall' || kind === 'bar';
