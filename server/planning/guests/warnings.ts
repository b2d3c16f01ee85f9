import type { Language } from '../../kernel/languages.ts';
import type { GuestWarning } from './contract.ts';
import { messages } from './messages.ts';
import type { Shortfall } from './places/standing.ts';

/** What an organizer should know of a yes that is not what it was meant to be. */
export function warningOf(short: Shortfall, language: Language): GuestWarning {
  const words = short.code === 'waits' ? messages.waits : messages.fewer(short);
  return { code: short.code, message: words[language] };
}

export function warningsOf(short: Shortfall | undefined, language: Language): GuestWarning[] {
  return short ? [warningOf(short, language)] : [];
}
