// Substitutes for what browsers offer only on pages with TLS. A server that is tried out in a home or an office has no
// TLS, and its console must work all the same.

crypto.randomUUID ??= () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // These bits mark random bytes as a UUID of version 4 (RFC 9562).
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

if (!('clipboard' in navigator)) {
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: copyBySelecting } });
}

/** Copies a text without the clipboard API: selects it in a temporary field, then returns the focus to where it was. */
async function copyBySelecting(text: string): Promise<void> {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  (focused?.closest('[role=dialog]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error('the browser copies nothing');
}
