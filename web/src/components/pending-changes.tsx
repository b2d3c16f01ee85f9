import { Button, Group, Text } from '@mantine/core';
import { Rocket, RotateCw } from 'lucide-react';
import { useWords } from '../lib/language-context.tsx';
import classes from './pending-changes.module.css';
import { ProblemNote } from './problem-note.tsx';
import { words } from './words.ts';

interface PendingChangesProps {
  /** Sentence about what takes effect, and when. */
  about: string;
  isDeploying: boolean;
  isRestarting: boolean;
  error: unknown;
  deploy(): void;
  /** Restarts the site; missing if a restart would not apply the changes. */
  restart?: (() => void) | undefined;
}

/** Note that a site's changes do not take effect yet, with the buttons that apply them. */
export function PendingChanges(props: PendingChangesProps) {
  const { about, isDeploying, isRestarting, error, deploy, restart } = props;
  const say = useWords(words);
  return (
    <section className={classes.note} aria-label={say('notLiveYet')}>
      <Group justify="space-between" gap="sm">
        <div className={classes.text}>
          <Text fw={600} inherit>
            {say('notLiveYet')}
          </Text>
          <Text size="sm" inherit>
            {about}
          </Text>
        </div>
        <Group gap="xs">
          {restart && (
            <Button
              variant="default"
              size="sm"
              h={44}
              leftSection={<RotateCw size={16} aria-hidden />}
              loading={isRestarting}
              onClick={restart}
            >
              {say('restartNow')}
            </Button>
          )}
          <Button
            size="sm"
            h={44}
            leftSection={<Rocket size={16} aria-hidden />}
            loading={isDeploying}
            onClick={deploy}
          >
            {say('deployNow')}
          </Button>
        </Group>
      </Group>
      <ProblemNote error={error} />
    </section>
  );
}
