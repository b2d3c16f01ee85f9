/** Mail provider whose addresses have other rules than most, by its own help pages. */
interface Provider {
  /**
   * Domains of one mail provider: an address leads to the same mailbox under each of them. The first domain is the
   * canonical one.
   */
  domains: readonly string[];
  /** True if the mail provider ignores dots before the @. */
  dotless?: true;
  /** Characters that begin a tag in a mail address: a part before the @ that the provider ignores. */
  tags?: string;
}

const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], dotless: true },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], dotless: true },
  { domains: ['yandex.com', 'yandex.ru', 'ya.ru', 'yandex.by', 'yandex.kz', 'yandex.ua'] },
  // Disposable mail addresses of Yahoo are `base-keyword`; account names there have no hyphen.
  { domains: ['yahoo.com'], tags: '+-' },
  { domains: ['yahoo.co.uk'], tags: '+-' },
  { domains: ['yahoo.fr'], tags: '+-' },
  { domains: ['ymail.com'], tags: '+-' },
];

/** Tag character of Outlook, Hotmail, Live, iCloud, Fastmail, Proton, Gmail and most others (RFC 5233). */
const TAGS = '+';

/**
 * Canonical form of a mail address: addresses of one mailbox that differ only in case, tag or dots give the same text.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  const tags = provider?.tags ?? TAGS;
  const [base = ''] = address
    .slice(0, at)
    .toLowerCase()
    .split(new RegExp(`[${tags}]`), 1);
  const local = provider?.dotless ? base.replaceAll('.', '') : base;
  // A mail address such as `+tag@`, with nothing before its tag, is left whole.
  return `${local || address.slice(0, at).toLowerCase()}@${provider?.domains[0] ?? domain}`;
}
