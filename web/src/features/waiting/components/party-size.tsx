import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** Number of people in a party, and how many of them are children. */
export function PartySize({ people, ofThemChildren }: { people: number; ofThemChildren: number }) {
  const say = useWords(words);
  return (
    <>
      {say('people', { n: people })}
      {ofThemChildren > 0 && ` (${say('children', { n: ofThemChildren })})`}
    </>
  );
}
