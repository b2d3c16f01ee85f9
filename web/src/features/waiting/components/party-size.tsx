import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** Number of people, and of children among them. */
export function PartySize({ people, ofThemChildren }: { people: number; ofThemChildren: number }) {
  const say = useWords(words);
  return (
    <>
      {say('people', { n: people })}
      {ofThemChildren > 0 && ` (${say('children', { n: ofThemChildren })})`}
    </>
  );
}
