import { sql } from 'kysely';

// What a booking comes to, in SQL over `bookings` and the `tally` of its event: the plates are those that are ordered,
// else as many as people come, and at least the minimum that was agreed on.

export const platesCharged = sql<number | null>`
  case when bookings.price_per_plate is not null
    then greatest(coalesce(bookings.plates, tally.people), bookings.minimum_plates) end`;

/** null: nobody said what it costs. */
export const totalPrice = sql<string | null>`
  case when coalesce(bookings.price, bookings.price_per_plate) is not null
    then coalesce(bookings.price, 0) + coalesce(bookings.price_per_plate * (${platesCharged}), 0) end`;
