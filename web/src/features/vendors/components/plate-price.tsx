import type { Booking } from 'simcha-client';
import { formatShekels } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** Price and number of the plates that a booking is charged for, children's plates apart. */
export function PlatePrice({ booking }: { booking: Booking }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { price_per_plate: plate, price_per_child: child, plates_charged: plates } = booking;
  if (plate === null || plates === null) return null;
  const children = booking.children_charged ?? 0;
  const parts = [say('perPlate', { price: formatShekels(plate, language), n: plates - children })];
  if (child !== null && children > 0)
    parts.push(say('perChild', { price: formatShekels(child, language), n: children }));
  return parts.join(' · ');
}
