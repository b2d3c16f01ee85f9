import { useWords } from '../../../lib/language-context.tsx';
import type { GuestAnswer } from '../api/answer.ts';
import { words } from '../words.ts';
import classes from './answer-badge.module.css';

export function AnswerBadge({ answer }: { answer: GuestAnswer }) {
  const say = useWords(words);
  return (
    <span className={classes.badge} data-answer={answer}>
      {say(answer)}
    </span>
  );
}
