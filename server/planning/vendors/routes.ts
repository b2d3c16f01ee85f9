import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import type { Language, Words } from '../../kernel/languages.ts';
import { closureName } from '../calendar/messages.ts';
import { readableEvent } from '../events/access.ts';
import { languageOf, serveArea } from '../events/area.ts';
import { serveBookings } from './booking-routes.ts';
import { budgetOf } from './budget.ts';
import { budgetSchema, sharedSchemas, type Warning, warningsSchema } from './contract.ts';
import { messages } from './messages.ts';
import type { VendorParts } from './parts.ts';
import { type Plan, planOf } from './plan.ts';
import { serveVendors } from './vendor-routes.ts';
import { closedDayPayments, type Finding, findingsOf } from './warnings.ts';

/** Vendors, an event's bookings of them, what they cost, and what does not fit. */
export function serveVendorArea(server: Server, parts: VendorParts): void {
  const { db, authenticate, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  serveVendors(server, parts);
  serveBookings(server, parts);

  serveArea(server, authenticate, '/api/events', (area) => {
    area.get('/:id/budget', { schema: budgetSchema }, async (request) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const { budget, bookings } = await planOf(db, event.id);
      return { budget: budgetOf(budget, bookings, today()) };
    });

    area.get('/:id/warnings', { schema: warningsSchema }, async (request) => {
      const event = await readableEvent(db, request.caller, request.params.id);
      const plan = await planOf(db, event.id);
      return { warnings: warningsOf(plan, today(), languageOf(request)) };
    });
  });

  function today(): string {
    return clock().toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate().toString();
  }
}

function warningsOf(plan: Plan, today: string, language: Language): Warning[] {
  const { budget, event, bookings } = plan;
  const money = budgetOf(budget, bookings, today);
  const warnings: Warning[] = findingsOf(event, bookings, DEFAULT_ZONE).map((finding) => ({
    code: finding.code,
    message: sentenceOf(finding, plan)[language],
    booking_id: finding.booking.id,
    vendor_id: finding.booking.vendorId,
  }));
  if (money.due_next?.overdue) {
    const { booking_id, vendor_name, due_date } = money.due_next;
    warnings.push({
      code: 'payment_overdue',
      message: messages.warnings.payment_overdue(vendor_name, due_date)[language],
      booking_id,
      vendor_id: bookings.find(({ id }) => id === booking_id)?.vendorId ?? null,
    });
  }
  for (const { booking, dueDate, closure, lastWorkingDay } of closedDayPayments(bookings, today)) {
    const why = closureName(closure);
    warnings.push({
      code: 'payment_on_closed_day',
      message: messages.warnings.payment_on_closed_day(booking.vendorName, dueDate, why, lastWorkingDay)[
        language
      ],
      booking_id: booking.id,
      vendor_id: booking.vendorId,
    });
  }
  if (money.over_budget) {
    warnings.push({
      code: 'over_budget',
      message: messages.warnings.over_budget[language],
      booking_id: null,
      vendor_id: null,
    });
  }
  return warnings;
}

function sentenceOf({ code, booking }: Finding, { event }: Plan): Words {
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
