import { notifications } from '@mantine/notifications';
import { useWords } from '../lib/language-context.tsx';
import { words } from './words.ts';

/** Tells in passing what became of something, to screen readers too. */
export function useTell(): (message: string) => void {
  const say = useWords(words);
  return (message) => {
    notifications.show({ message, closeButtonProps: { 'aria-label': say('close') } });
  };
}
