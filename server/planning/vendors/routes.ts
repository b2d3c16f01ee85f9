import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import type { Language, Words } from '../../kernel/languages.ts';
import { findDeadlineWarnings } from '../answers/deadline.ts';
import { closureName } from '../calendar/messages.ts';
import { readableEvent } from '../events/access.ts';
import { responseLanguageOf, serveArea } from '../events/area.ts';
import { serveBookings } from './booking-routes.ts';
import { summarizeBudget } from './budget.ts';
import { budgetSchema, sharedSchemas, type Warning, warningsSchema } from './contract.ts';
import { messages } from './messages.ts';
import { todayInIsrael, type VendorParts } from './parts.ts';
import { servePayments } from './payment-routes.ts';
import { type BookingPlan, findOtherBookings, readBookingPlan } from './plan.ts';
import { serveVendors } from './vendor-routes.ts';
import {
  type BookingConflict,
  closedDayPayments,
  doubleBookings,
  findBookingConflicts,
  type OtherBooking,
  paidAbovePrice,
} from './warnings.ts';

/** Routes of vendors, bookings and payments, of the budget and of its warnings. */
export function serveVendorArea(server: Server, parts: VendorParts): void {
  const { db, authenticate, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  serveVendors(server, parts);
  serveBookings(server, parts);
  servePayments(server, parts);

  serveArea(server, authenticate, '/api/events', (area) => {
    area.get('/:id/budget', { schema: budgetSchema }, async (request) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const { budget, bookings } = await readBookingPlan(db, event.id);
      return { budget: summarizeBudget(budget, bookings, todayInIsrael(clock())) };
    });

    area.get('/:id/warnings', { schema: warningsSchema }, async (request) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const plan = await readBookingPlan(db, event.id);
      const elsewhere =
        event.status === 'cancelled' ? [] : await findOtherBookings(db, event.id, request.caller);
      const now = clock();
      const deadline = await findDeadlineWarnings(db, event.id, now);
      const language = responseLanguageOf(request);
      return {
        warnings: [
          ...deadline.map(({ code, words }) => warningOf(code, undefined, words[language])),
          ...warningsOf(plan, elsewhere, todayInIsrael(now), language),
        ],
      };
    });
  });
}

function warningsOf(
  plan: BookingPlan,
  elsewhere: readonly OtherBooking[],
  today: string,
  language: Language,
): Warning[] {
  const { budget, event, bookings } = plan;
  const money = summarizeBudget(budget, bookings, today);
  const about = (code: Warning['code'], booking: Booked | undefined, words: Words) =>
    warningOf(code, booking, words[language]);
  const { warnings: say } = messages;
  const overdue = money.due_next?.overdue ? money.due_next : undefined;
  return [
    ...findBookingConflicts(event, bookings, DEFAULT_ZONE).map((finding) =>
      about(finding.code, finding.booking, sentenceOf(finding, plan)),
    ),
    ...doubleBookings(event, bookings, elsewhere).map(({ booking, also }) =>
      about('booked_twice', booking, say.booked_twice(booking.vendorName, also)),
    ),
    ...paidAbovePrice(bookings).map((booking) =>
      about('paid_above_price', booking, say.paid_above_price(booking.vendorName)),
    ),
    ...(overdue
      ? [
          about(
            'payment_overdue',
            bookings.find(({ id }) => id === overdue.booking_id),
            say.payment_overdue(overdue.vendor_name, overdue.due_date),
          ),
        ]
      : []),
    ...closedDayPayments(bookings, today).map(({ booking, dueDate, closure, lastWorkingDay }) =>
      about(
        'payment_on_closed_day',
        booking,
        say.payment_on_closed_day(booking.vendorName, dueDate, closureName(closure), lastWorkingDay),
      ),
    ),
    ...(money.over_budget ? [about('over_budget', undefined, say.over_budget)] : []),
  ];
}

function warningOf(code: Warning['code'], booking: Booked | undefined, message: string): Warning {
  return { code, message, booking_id: booking?.id ?? null, vendor_id: booking?.vendorId ?? null };
}

type Booked = Pick<BookingPlan['bookings'][number], 'id' | 'vendorId'>;

function sentenceOf({ code, booking }: BookingConflict, { event }: BookingPlan): Words {
  const { vendorName, certificate } = booking;
  switch (code) {
    case 'kashrut_missing':
      return messages.warnings.kashrut_missing(vendorName, event.kashrutLevel);
    case 'kashrut_too_low':
      return messages.warnings.kashrut_too_low(vendorName, event.kashrutLevel, certificate.level);
    case 'kashrut_expires':
      return messages.warnings.kashrut_expires(vendorName, String(certificate.expiry));
    case 'past_curfew':
      return messages.warnings.past_curfew(vendorName, event.curfew);
  }
}
