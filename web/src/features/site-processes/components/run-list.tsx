import { Anchor, Button, Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarClock, SquareTerminal, X } from 'lucide-react';
import { useState } from 'react';
import type { Run } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { formatDuration } from '../../../lib/durations.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { type RunFilter, runsQuery, runtimeOf, toneOfRun } from '../api/runs.ts';
import { words } from '../words.ts';
import classes from './processes.module.css';

interface RunListProps {
  siteName: string;
  /** Name of the job whose runs alone are listed. */
  job: string | undefined;
}

const FILTERS: readonly RunFilter[] = ['all', 'once', 'cron'];

/** Former and present runs of a site, newest first. Each opens its output. */
export function RunList({ siteName, job }: RunListProps) {
  const say = useWords(words);
  const navigate = useNavigate();
  const [filter, setFilter] = useState<RunFilter>('all');
  const query = useInfiniteQuery(runsQuery(siteName, { filter, job }));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const runs = data?.pages.flatMap((page) => page.runs);
  return (
    <>
      <Group gap="sm" pb="sm">
        {job === undefined ? (
          <SegmentedControl
            aria-label={say('whichRuns')}
            value={filter}
            onChange={(value) => setFilter(value as RunFilter)}
            data={FILTERS.map((value) => ({ value, label: say(`filter_${value}`) }))}
          />
        ) : (
          <Button
            variant="default"
            rightSection={<X size={16} aria-hidden />}
            aria-label={say('allRuns')}
            onClick={() => navigate({ to: '.', search: {}, resetScroll: false })}
          >
            {say('onlyJob', { name: job })}
          </Button>
        )}
      </Group>
      <ProblemNote error={error} onRetry={() => refetch()} />
      {!runs && !error && <Skeleton height={120} />}
      {runs?.length === 0 && <Text c="dimmed">{say('noRuns')}</Text>}
      <ul className={classes.runs}>
        {runs?.map((run) => (
          <RunRow key={run.run_uuid} run={run} job={job} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {say('olderRuns')}
        </Button>
      )}
    </>
  );
}

function RunRow({ run, job }: { run: Run; job: string | undefined }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { run_uuid: id, kind, command, status, exit_code: exitCode, requested_at: at } = run;
  const runtime = runtimeOf(run);
  const Icon = kind === 'cron' ? CalendarClock : SquareTerminal;
  const facts = [
    ...(runtime === undefined ? [] : [formatDuration(runtime, language)]),
    ...(exitCode ? [say('exitCode', { code: exitCode })] : []),
    ...(status === 'skipped' && run.reason ? [run.reason] : []),
  ];
  return (
    <li className={classes.run}>
      <Icon size={20} aria-hidden className={classes.icon} />
      <div className={classes.text}>
        <Anchor
          component={Link}
          to="."
          search={{ ...(job && { job }), run: id } as never}
          resetScroll={false}
          c="inherit"
          underline="hover"
          className={classes.code}
        >
          <bdi dir="ltr">{run.job ?? command}</bdi>
        </Anchor>
        <Text size="sm" c="dimmed">
          <TimeAgo at={at} />
          {facts.map((fact) => ` · ${fact}`)}
        </Text>
      </div>
      <ToneBadge tone={toneOfRun(run)}>{say(`run_${status}`)}</ToneBadge>
    </li>
  );
}
