import { Menu, UnstyledButton } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { Guest, GuestChanges } from 'simcha-client';
import { useWords } from '../../../lib/language-context.tsx';
import {
  answerOf,
  type GuestAnswer,
  SETTABLE_ANSWERS,
  type SettableAnswer,
  statusOf,
} from '../api/answer.ts';
import { words } from '../words.ts';
import { AnswerBadge } from './answer-badge.tsx';
import classes from './list.module.css';

interface AnswerMenuProps {
  guest: Guest;
  onChange: ((body: GuestChanges, shown: Partial<Guest>) => void) | undefined;
}

/**
 * Reply of a guest with a menu to change it. The menu is created when it is first opened, since a list has many rows.
 */
export function AnswerMenu({ guest, onChange }: AnswerMenuProps) {
  const say = useWords(words);
  const [isMade, setMade] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const answer = answerOf(guest);
  if (!onChange) return <AnswerBadge answer={answer} />;
  const button = (
    <UnstyledButton
      className={classes.control}
      aria-label={say('answerOf', { name: guest.name, answer: say(answer) })}
      aria-haspopup="menu"
      {...(!isMade && {
        onClick() {
          setMade(true);
          setOpen(true);
        },
      })}
    >
      <AnswerBadge answer={answer} />
      <ChevronDown size={16} aria-hidden className={classes.hint} />
    </UnstyledButton>
  );
  if (!isMade) return button;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {answer === 'waiting' && (
          <Menu.Item
            onClick={() =>
              onChange(
                { rsvp_status: 'confirmed', over_limit: true },
                { rsvp_status: 'confirmed', waiting_since: null },
              )
            }
          >
            {say('seat')}
          </Menu.Item>
        )}
        {SETTABLE_ANSWERS.filter(
          (one) => one !== answer && !(one === 'confirmed' && answer === 'waiting'),
        ).map((one) => (
          <Menu.Item
            key={one}
            onClick={() => onChange({ rsvp_status: statusOf(one) }, shownAs(one, guest, answer))}
          >
            <AnswerBadge answer={one} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Guest as shown in the list after the user changed the guest's reply, until the server responds. */
function shownAs(noted: SettableAnswer, { party_size, coming }: Guest, before: GuestAnswer): Partial<Guest> {
  const isYes = noted === 'confirmed';
  return {
    rsvp_status: isYes || noted === 'declined' ? noted : 'pending',
    maybe: noted === 'maybe',
    waiting_since: null,
    coming: isYes ? (before === 'confirmed' ? coming : party_size) : 0,
  };
}
