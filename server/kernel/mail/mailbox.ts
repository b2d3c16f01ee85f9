/** How a provider reads an address otherwise than most do, by its own help pages. */
interface Provider {
  /** Names of one provider: an address is the same mailbox under each. The first one is kept. */
  domains: readonly string[];
  /** Dots before the @ do not count. */
  dotless?: true;
  /** Characters that begin a tag. */
  tags?: string;
}

const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], dotless: true },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], dotless: true },
  { domains: ['yandex.com', 'yandex.ru', 'ya.ru', 'yandex.by', 'yandex.kz', 'yandex.ua'] },
  // Yahoo's disposable addresses are `base-keyword`; no name of an account has a hyphen.
  { domains: ['yahoo.com'], tags: '+-' },
  { domains: ['yahoo.co.uk'], tags: '+-' },
  { domains: ['yahoo.fr'], tags: '+-' },
  { domains: ['ymail.com'], tags: '+-' },
];

/** Outlook, Hotmail, Live, iCloud, Fastmail, Proton, Gmail and most others (RFC 5233). */
const TAGS = '+';

/** The mailbox that a mail address leads to: addresses of one person that differ by case, tag or dots alone give the same text. */
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
  // An address that begins with its tag has no other name.
  return `${local || address.slice(0, at).toLowerCase()}@${provider?.domains[0] ?? domain}`;
}
