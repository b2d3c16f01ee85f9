import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useWords } from '../lib/language-context.tsx';
import { isUnreachable } from '../lib/problems.ts';
import classes from './note.module.css';
import { useNotifyProblem } from './notify.ts';
import { words } from './words.ts';

interface Offer {
  message: string;
  action: string;
  /** What comes of a promise that is rejected is told; where no server heard of it, the offer stands again. */
  act(): unknown;
}

/** Long enough to read it, and to reach the button by keyboard. */
const SHOWN_MS = 12_000;

/** Says that something was done, beside the one thing that one may want to do about it: take it back, most often. */
export function useOffer(): (offer: Offer) => void {
  const say = useWords(words);
  const tellProblem = useNotifyProblem();
  return function offer({ message, action, act }) {
    const id = crypto.randomUUID();
    const take = () => {
      notifications.hide(id);
      Promise.resolve(act()).catch((error) => {
        tellProblem(error);
        if (isUnreachable(error)) offer({ message, action, act });
      });
    };
    notifications.show({
      id,
      autoClose: SHOWN_MS,
      closeButtonProps: { 'aria-label': say('close') },
      message: (
        <Group justify="space-between" wrap="nowrap" gap="sm">
          <Text inherit className={classes.brief}>
            {message}
          </Text>
          <Button variant="light" size="sm" h={44} px="sm" style={{ flex: 'none' }} onClick={take}>
            {action}
          </Button>
        </Group>
      ),
    });
  };
}
