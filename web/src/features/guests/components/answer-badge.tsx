import { useWords } from '../../../lib/language-context.tsx';
import type { Answer } from '../api/answer.ts';
import { words } from '../words.ts';
import classes from './answer-badge.module.css';

export function AnswerBadge({ answer }: { answer: Answer }) {
  const say = useWords(words);
  return (
    <span className={classes.badge} data-answer={answer}>
      {say(answer)}
    </span>
  );
}
