import { useWords } from '../lib/language-context.tsx';
import { useOffer } from './offer.tsx';
import { words } from './words.ts';

/** Shows a notification with an Undo button, instead of asking for confirmation beforehand. */
export function useOfferUndo(): (message: string, undo: () => Promise<unknown>) => void {
  const say = useWords(words);
  const offer = useOffer();
  return (message, undo) => offer({ message, action: say('undo'), act: undo });
}
