import { useWords } from '../lib/language-context.tsx';
import { useOffer } from './offer.tsx';
import { words } from './words.ts';

/** Says what was done and takes it back at a press, in place of asking beforehand. */
export function useOfferUndo(): (message: string, undo: () => Promise<unknown>) => void {
  const say = useWords(words);
  const offer = useOffer();
  return (message, undo) => offer({ message, action: say('undo'), act: undo });
}
