import { sql } from 'kysely';

// SQL for the number of plates that a caterer's booking is charged for, over `bookings` and the `tally` of its event:
// the ordered number, else the number of people who come, but at least the agreed minimum.

export const platesCharged = sql<number | null>`
  case when bookings.price_per_plate is not null
    then greatest(coalesce(bookings.plates, tally.people), bookings.minimum_plates) end`;

/** SQL for the number of those plates that have the price of a child's plate: children who come. */
export const childrenCharged = sql<number | null>`
  case when bookings.price_per_child is not null then least(tally.children, ${platesCharged}) end`;

/** SQL for the total price of a booking, with the price of its plates; null if the booking has no price. */
export const totalPrice = sql<string | null>`
  case when coalesce(bookings.price, bookings.price_per_plate) is not null
    then coalesce(bookings.price, 0) + coalesce(bookings.price_per_plate * (${platesCharged}), 0)
      + coalesce((bookings.price_per_child - bookings.price_per_plate) * (${childrenCharged}), 0) end`;
