// Of https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry.

/** Private, link-local, shared, a machine's own, benchmarks', multicast, reserved: never the way to the internet. */
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
/** Documentation's and what was given up: nobody's to be kept safe, and some networks have servers there. */
export const UNUSED_4: readonly string[] = [
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
];

/** Where public IPv6 addresses are; what within it is none, or carries an IPv4 address that may be none; documentation's. */
export const GLOBAL_6: readonly string[] = ['2000::/3'];
export const INNER_6: readonly string[] = ['2001::/23', '2001:db8::/32', '2002::/16'];
export const UNUSED_6: readonly string[] = ['3fff::/20'];
