import { ActionIcon, Group, Paper, Switch, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Question } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { textIn } from '../../../lib/languages.ts';
import { numbersQuery } from '../api/numbers.ts';
import { useChangeQuestion } from '../api/questions.ts';
import { words } from '../words.ts';
import classes from './questions.module.css';

type By = -1 | 1;

interface QuestionListProps {
  eventId: string;
  questions: readonly Question[];
  mayEdit: boolean;
}

/** List of an event's questions in the order in which guests are asked. */
export function QuestionList({ eventId, questions, mayEdit }: QuestionListProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: numbers } = useQuery(numbersQuery(eventId));
  const change = useChangeQuestion(eventId);
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ id: string; by: By }>();
  // Focus follows a question that is moved by keyboard; at the end of the list it goes to the other button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time the order changes
  useEffect(() => {
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-move="${moved?.id}"]`);
    const [up, down] = buttons ?? [];
    const button = moved?.by === -1 ? up : down;
    (button?.disabled ? (button === up ? down : up) : button)?.focus();
  }, [moved, questions.map(({ id }) => id).join()]);
  const move = (id: string, at: number, by: By) => {
    setMoved({ id, by });
    change.mutate({ id, body: { position: at + 1 + by } });
  };
  const at = questions.findIndex(({ id }) => id === moved?.id);
  const last = questions[at];
  return (
    <>
      <ProblemNote error={change.error} />
      <VisuallyHidden role="status">
        {last && say('moved', { what: textIn(last.text, language), n: at + 1, of: questions.length })}
      </VisuallyHidden>
      <ol ref={list} className={classes.list}>
        {questions.map((question, place) => (
          <li key={question.id}>
            <QuestionCard
              question={question}
              answered={numbers?.questions.find(({ id }) => id === question.id)?.answered}
              {...(mayEdit && {
                ways: {
                  isFirst: place === 0,
                  isLast: place === questions.length - 1,
                  onMove: (by) => move(question.id, place, by),
                  onAsked: (asked) => change.mutate({ id: question.id, body: { asked } }),
                },
              })}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

interface QuestionCardProps {
  question: Question;
  answered: number | undefined;
  /** Functions that move the question and switch whether guests are asked it; missing for users who may not edit. */
  ways?: { isFirst: boolean; isLast: boolean; onMove(by: By): void; onAsked(asked: boolean): void };
}

function QuestionCard({ question, answered, ways }: QuestionCardProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { id, kind, text, options, most, asked } = question;
  const what = textIn(text, language);
  const how =
    kind === 'number' && most !== null
      ? say('kindAndMost', { n: formatNumber(most, language) })
      : say(`kind_${kind}`);
  return (
    <Paper bg="var(--simcha-card)" withBorder radius="lg" p="md">
      <div className={classes.question} data-off={!asked || undefined}>
        <div>
          <Title order={3} size="h5" className={classes.text}>
            {ways ? (
              <Link
                from="/events/$eventId/questions"
                to="."
                search={(before) => ({ ...before, question: id })}
                aria-label={say('open', { what })}
              >
                <bdi>{what}</bdi>
              </Link>
            ) : (
              <bdi>{what}</bdi>
            )}
          </Title>
          <Text size="sm" c="dimmed">
            {how}
            {answered !== undefined && ` · ${say('answered', { n: answered })}`}
          </Text>
        </div>
        {ways && (
          <Group gap={0} wrap="nowrap">
            {(
              [
                [-1, 'moveUp', ArrowUp, ways.isFirst],
                [1, 'moveDown', ArrowDown, ways.isLast],
              ] as const
            ).map(([by, name, Icon, isEnd]) => (
              <ActionIcon
                key={name}
                color="gray"
                c={isEnd ? undefined : 'var(--mantine-color-text)'}
                data-move={id}
                disabled={isEnd}
                bg={isEnd ? 'transparent' : undefined}
                aria-label={say(name, { what })}
                onClick={() => ways.onMove(by)}
              >
                <Icon size={20} aria-hidden />
              </ActionIcon>
            ))}
          </Group>
        )}
      </div>
      {options.length > 0 && (
        <ul className={classes.options}>
          {options.map((option) => (
            <li key={option.id}>
              <bdi>{textIn(option.text, language)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {ways ? (
        <Switch
          size="md"
          mt="sm"
          py={6}
          label={say(asked ? 'asked' : 'notAsked')}
          aria-label={say('askedOf', { what })}
          checked={asked}
          onChange={({ currentTarget: { checked } }) => ways.onAsked(checked)}
        />
      ) : (
        !asked && (
          <Text size="sm" mt="sm">
            {say('notAsked')}
          </Text>
        )
      )}
    </Paper>
  );
}
