import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarClock, Play } from 'lucide-react';
import type { Run } from 'simcha-client';
import { ForRole } from '../../../components/for-role.tsx';
import { useNotifyProblem } from '../../../components/notify.ts';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import type { Job } from '../api/processes.ts';
import { toneOfRun, useRun } from '../api/runs.ts';
import { words } from '../words.ts';
import classes from './processes.module.css';

interface JobEntryProps {
  siteName: string;
  job: Job;
  lastRun: Run | undefined;
}

/** Scheduled job of a site: when it runs, how it went last, and the button that runs it now. */
export function JobEntry({ siteName, job, lastRun }: JobEntryProps) {
  const say = useWords(words);
  const navigate = useNavigate();
  const notifyProblem = useNotifyProblem();
  const start = useRun(siteName);
  const keyFor = useIdempotencyKey();
  const { name, schedule, command, next_at: next } = job;
  const runNow = () =>
    start.mutate(
      { job: name, key: keyFor([name, lastRun?.run_uuid]) },
      {
        onSuccess: ({ run_uuid: run }) => navigate({ to: '.', search: { run }, resetScroll: false }),
        onError: notifyProblem,
      },
    );
  return (
    <li className={classes.entry}>
      <div className={classes.text}>
        <Group gap="sm">
          <Title order={3} size="h5" className={classes.code}>
            <bdi dir="ltr">{name}</bdi>
          </Title>
          {lastRun && <ToneBadge tone={toneOfRun(lastRun)}>{say(`run_${lastRun.status}`)}</ToneBadge>}
        </Group>
        <code className={classes.command} dir="ltr">
          {command}
        </code>
        <Group gap="4px 16px" c="dimmed" fz="sm">
          <span className={classes.fact}>
            <CalendarClock size={16} aria-hidden /> <code dir="ltr">{schedule}</code>
          </span>
          <span>
            {next ? (
              <>
                {say('nextRun')} <TimeAgo at={next} />
              </>
            ) : (
              say('noNextRun')
            )}
          </span>
          {lastRun && (
            <span>
              {say('lastRun')} <TimeAgo at={lastRun.ended_at ?? lastRun.requested_at} />
            </span>
          )}
          <Anchor
            component={Link}
            to="."
            search={{ job: name } as never}
            hash="runs"
            c="inherit"
            fz="inherit"
            aria-label={say('historyOf', { name })}
          >
            {say('history')}
          </Anchor>
        </Group>
        {lastRun?.status === 'failed' && lastRun.reason && (
          <Text size="sm" c="var(--mantine-color-error)">
            {lastRun.reason}
          </Text>
        )}
      </div>
      <ForRole atLeast="deploy">
        <Button
          variant="default"
          leftSection={<Play size={16} aria-hidden />}
          loading={start.isPending}
          aria-label={say('runNowNamed', { name })}
          onClick={runNow}
        >
          {say('runNow')}
        </Button>
      </ForRole>
    </li>
  );
}
