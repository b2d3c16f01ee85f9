import { notifications } from '@mantine/notifications';
import { useLanguage, useWords } from '../lib/language-context.tsx';
import { problemOf, withoutMachineNames } from '../lib/problems.ts';
import classes from './note.module.css';
import { words } from './words.ts';

/**
 * Time to show a notification, in milliseconds: a slow reader first notices it and then reads about fifteen letters a
 * second.
 */
const shownMs = (message: string) => Math.max(4000, 1500 + 65 * message.length);

/** Returns a function that shows a short notification, which screen readers announce. */
export function useNotify(): (message: string) => void {
  const show = useShow();
  return (message) => show(message, classes.brief);
}

/** Returns a function that shows a sentence of the server about what was done. */
export function useNotifySentence(): (sentence: string) => void {
  const show = useShow();
  return (sentence) => show(withoutMachineNames(sentence));
}

/** Returns a function that shows an error which belongs to no form field or page. */
export function useNotifyProblem(): (error: unknown) => void {
  const show = useShow();
  const { language } = useLanguage();
  return (error) => show(problemOf(error, language).sentence);
}

function useShow(): (message: string, className?: string) => void {
  const say = useWords(words);
  return (message, className) => {
    notifications.show({
      message,
      autoClose: shownMs(message),
      closeButtonProps: { 'aria-label': say('close') },
      ...(className && { classNames: { description: className } }),
    });
  };
}
