import { notifications } from '@mantine/notifications';
import { useLanguage, useWords } from '../lib/language-context.tsx';
import { forPeople, problemOf } from '../lib/problems.ts';
import classes from './note.module.css';
import { words } from './words.ts';

/** Who reads slowly reads some fifteen letters a second, once it has been seen. */
const shownMs = (message: string) => Math.max(4000, 1500 + 65 * message.length);

/** Tells in passing what became of something, to screen readers too. */
export function useNotify(): (message: string) => void {
  const show = useShow();
  return (message) => show(message, classes.brief);
}

/** Tells what the server said of something that was done, all of it. */
export function useNotifyWhole(): (sentence: string) => void {
  const show = useShow();
  return (sentence) => show(forPeople(sentence));
}

/** Tells what came of something that was not done, where no field or page of its own has a place for it. */
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
