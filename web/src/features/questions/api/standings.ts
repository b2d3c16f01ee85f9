import type { GuestNumbers } from 'simcha-client';

/** State of guests' answers. */
export type StandingName = 'yes' | 'maybe' | 'waiting' | 'no' | 'unanswered';

/** Guests with the same state of their answers: their number, and the people of whom they consist. */
export interface Standing {
  name: StandingName;
  /** Number of guests, each of whom has one invitation. */
  invitations: number;
  /** Number of people invited with them. */
  invited: number;
  /** Number of people who come with guests who said yes, else of those invited. */
  people: number;
}

type Counted = Pick<
  GuestNumbers,
  'confirmed' | 'maybe' | 'waiting' | 'declined' | 'pending' | 'people' | 'invited_by_answer'
>;

const STATES = [
  ['yes', 'confirmed'],
  ['maybe', 'maybe'],
  ['waiting', 'waiting'],
  ['no', 'declined'],
  ['unanswered', 'pending'],
] as const;

/** Guests by the state of their answers. The invited people of all states add up to those of the event. */
export function standingsOf(numbers: Counted): Standing[] {
  return STATES.map(([name, state]) => {
    const invited = numbers.invited_by_answer[state];
    const people = name === 'yes' ? numbers.people : invited;
    return { name, invitations: numbers[state], invited, people };
  });
}
