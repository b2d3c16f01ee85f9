import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import type { Answer } from './answer.ts';
import classes from './answer-badge.module.css';

export function AnswerBadge({ answer }: { answer: Answer }) {
  const say = useWords(words);
  return (
    <span className={classes.badge} data-answer={answer}>
      {say(answer)}
    </span>
  );
}
