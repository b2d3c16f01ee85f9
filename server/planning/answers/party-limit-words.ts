import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import { bindingPlusOnes } from '../guests/capacity/capacity.ts';
import { LARGEST_PARTY } from '../guests/fields.ts';
import { plusOnesWords } from '../guests/people-words.ts';
import { guestPageWordsFor } from './messages.ts';
import type { GuestInvitation, InvitedGuest } from './store.ts';

/**
 * Hint below the form's field for the number of people: how many people are invited, and how many more may come if that
 * is limited.
 */
export function partyHint({ event, guest }: GuestInvitation, language: LanguageName): string {
  const { party_size, may_bring } = guest;
  const invitation = guestPageWordsFor(event, language).partyOf(party_size);
  return may_bring ? plusOnesWords[languageCodeOf(language)](invitation, may_bring) : invitation;
}

/** Sentence after a yes for too many people: how many can come, by the guest's own limit or by the free places. */
export function mostPeopleWords({ event, guest }: GuestInvitation, language: LanguageName): string {
  const say = guestPageWordsFor(event, language);
  const upTo = guest.up_to ?? LARGEST_PARTY;
  const plusOnes = bindingPlusOnes(upTo, { ...guest, max_plus_ones: guest.may_bring }, null);
  if (plusOnes === null) return say.upTo(upTo);
  return `${plusOnesWords[languageCodeOf(language)](say.partyOf(guest.party_size), plusOnes)}.`;
}

/** Largest number of people that a guest's form accepts. A guest can keep a number that was granted before. */
export function largestNumberFor({
  party_size,
  coming,
  may_bring,
}: Pick<InvitedGuest, 'party_size' | 'coming' | 'may_bring'>): number {
  return may_bring === null
    ? LARGEST_PARTY
    : Math.max(coming, Math.min(party_size + may_bring, LARGEST_PARTY));
}
