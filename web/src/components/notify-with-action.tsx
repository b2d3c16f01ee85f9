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
  /**
   * Action of the notification's button. A rejected promise is shown as an error; if the server was unreachable, the
   * button is offered again.
   */
  act(): unknown;
}

/** Time in milliseconds that suffices to read a notification and to reach its button by keyboard. */
const SHOWN_MS = 12_000;

/** Returns a function that shows a notification with one button, most often to undo an action. */
export function useNotifyWithAction(): (offer: Offer) => void {
  const say = useWords(words);
  const notifyProblem = useNotifyProblem();
  return function offer({ message, action, act }) {
    const id = crypto.randomUUID();
    const take = () => {
      notifications.hide(id);
      Promise.resolve(act()).catch((error) => {
        notifyProblem(error);
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
