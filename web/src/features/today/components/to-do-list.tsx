import { Stack, Text } from '@mantine/core';
import {
  ClipboardCheck,
  HandCoins,
  type LucideIcon,
  MailX,
  MessageCircle,
  PhoneCall,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react';
import { daysUntilDay, formatShekels } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import type { ToDo } from './to-do.ts';
import { ToDoLink } from './to-do-link.tsx';
import classes from './today.module.css';

const ICONS: Readonly<Record<ToDo['kind'], LucideIcon>> = {
  requests: UserRoundPlus,
  plus_ones: UsersRound,
  missed: MailX,
  call: PhoneCall,
  send: MessageCircle,
  payment: HandCoins,
  approval: ClipboardCheck,
};

/** Tasks of the organizer, each with a link to its page. With several events, each task names its event. */
export function ToDoList({ toDos, showsEvent }: { toDos: readonly ToDo[]; showsEvent: boolean }) {
  return (
    <Stack component="ul" gap={0} className={classes.list}>
      {toDos.map((toDo) => (
        <Row key={keyOf(toDo)} toDo={toDo} showsEvent={showsEvent} />
      ))}
    </Stack>
  );
}

function Row({ toDo, showsEvent }: { toDo: ToDo; showsEvent: boolean }) {
  const say = useWords(words);
  const sentence = useSentence();
  const Icon = ICONS[toDo.kind];
  const days = toDo.day === null ? undefined : daysUntilDay(toDo.day);
  const when =
    days === undefined ? undefined : days < 0 ? say('daysAgo', { n: -days }) : say('inDays', { n: days });
  return (
    <li className={classes.row}>
      <span className={classes.icon} data-late={toDo.overdue || undefined}>
        <Icon size={20} aria-hidden />
      </span>
      <div className={classes.what}>
        <ToDoLink toDo={toDo} className={classes.link}>
          {sentence(toDo)}
        </ToDoLink>
        {(when || showsEvent) && (
          <Text size="sm" c="dimmed" className={classes.about}>
            {when && (
              <span data-late={toDo.overdue || undefined} className={classes.when}>
                {when}
              </span>
            )}
            {when && showsEvent && ' · '}
            {showsEvent && <bdi>{toDo.event.title}</bdi>}
          </Text>
        )}
      </div>
    </li>
  );
}

function useSentence(): (toDo: ToDo) => string {
  const say = useWords(words);
  const { language } = useLanguage();
  return (toDo) => {
    switch (toDo.kind) {
      case 'payment':
        return say('payment', { who: toDo.vendor, amount: formatShekels(toDo.amount, language) });
      case 'approval':
        return say('approval', { what: toDo.title });
      default:
        return say(toDo.kind, { n: toDo.guests });
    }
  };
}

function keyOf(toDo: ToDo): string {
  const which =
    'roundId' in toDo
      ? toDo.roundId
      : toDo.kind === 'payment'
        ? `${toDo.bookingId} ${toDo.day} ${toDo.amount}`
        : toDo.kind === 'approval'
          ? toDo.title
          : '';
  return `${toDo.event.id} ${toDo.kind} ${which}`;
}
