const MARKS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const safe = (text) => String(text ?? '').replace(/[&<>"']/g, (mark) => MARKS[mark]);

const when = new Intl.DateTimeFormat('he-IL', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: 'Asia/Jerusalem',
});

/** The event's page, with a link to reply if `rsvpUrl` is set. */
export function page(event, rsvpUrl) {
  const place = [event.venue_name, event.venue_address].filter(Boolean).map(safe).join(', ');
  const answer = rsvpUrl ? `<p><a href="${safe(rsvpUrl)}">לאישור הגעה</a></p>` : '';
  return frame(
    event.title,
    `<h1>${safe(event.title)}</h1>
    <p><time datetime="${safe(event.event_date)}">${safe(when.format(new Date(event.event_date)))}</time></p>
    <p>${place}</p>
    ${event.description ? `<p>${safe(event.description)}</p>` : ''}
    ${answer}
    <p class="count">${event.rsvp_confirmed} כבר אישרו הגעה</p>`,
  );
}

export const sorry = frame('רגע…', '<h1>רגע…</h1><p>ההזמנה לא זמינה כרגע. אפשר לנסות שוב בעוד דקה.</p>');

function frame(title, body) {
  return `<!doctype html>
<html lang="he" dir="rtl">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${safe(title)}</title>
  <link rel="icon" href="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path fill='none' stroke='%23b8862f' stroke-width='2' d='M1 3h14v10H1zl7 6 7-6'/></svg>">
  <style>
    :root { color-scheme: light dark }
    body { min-height: 90dvh; display: grid; place-content: center; text-align: center;
      font: 1.25rem/1.7 Georgia, serif; margin: 0; padding: 2rem }
    h1 { font-size: clamp(2rem, 8vw, 4rem); font-weight: 400; margin: 0 }
    a { display: inline-block; padding: .5rem 2rem; border: 1px solid; border-radius: 2rem; text-decoration: none }
    .count { color: light-dark(#9a6b1f, #e0b567) }
  </style>
  <main>${body}</main>
</html>
`;
}
