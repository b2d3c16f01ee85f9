// Sources of the ranges of IP addresses in this file: https://www.iana.org/assignments/iana-ipv4-special-registry and
// iana-ipv6-special-registry.

/**
 * IPv4 ranges that never lead to the internet: private, link-local, shared, loopback, benchmarking, multicast,
 * reserved.
 */
export const INNER_4: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
];
/**
 * IPv4 ranges for documentation and abandoned uses: they belong to nobody who needs protection, and some networks have
 * servers there.
 */
export const UNUSED_4: readonly string[] = [
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
];

/**
 * IPv6 ranges. `GLOBAL_6`: all public addresses. `INNER_6`: ranges inside it that are not public, or that carry an IPv4
 * address which may not be. `UNUSED_6`: documentation.
 */
export const GLOBAL_6: readonly string[] = ['2000::/3'];
export const INNER_6: readonly string[] = ['2001::/23', '2001:db8::/32', '2002::/16'];
export const UNUSED_6: readonly string[] = ['3fff::/20'];
