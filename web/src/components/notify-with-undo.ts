import { useWords } from '../lib/language-context.tsx';
import { useNotifyWithAction } from './notify-with-action.tsx';
import { words } from './words.ts';

/** Returns a function that shows a notification with an Undo button, instead of asking for confirmation beforehand. */
export function useNotifyWithUndo(): (message: string, undo: () => Promise<unknown>) => void {
  const say = useWords(words);
  const offer = useNotifyWithAction();
  return (message, undo) => offer({ message, action: say('undo'), act: undo });
}
