/** Labels below a country's, under which domains are registered: `example.co.il`. */
const REGISTRIES = new Set(['co', 'com', 'org', 'net', 'ac', 'gov', 'edu', 'muni', 'k12', 'idf', 'or', 'ne']);

/** True for a domain as it is registered (`example.com`, `example.co.il`), which can't have a CNAME record. */
export function isRegisteredDomain(hostname: string): boolean {
  const labels = hostname.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.length === (top.length === 2 && REGISTRIES.has(second) ? 3 : 2);
}
