import { Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { followRunLines, type LogLine } from 'simcha-client';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { LogView } from '../../../components/log-view/log-view.tsx';
import { type Following, useLog } from '../../../components/log-view/use-log.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { client } from '../../../lib/api.ts';
import { formatDuration } from '../../../lib/durations.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { siteKey } from '../../sites/api/sites.ts';
import { isUnfinished, runQuery, runtimeOf, toneOfRun, useCancelRun } from '../api/runs.ts';
import { words } from '../words.ts';
import classes from './processes.module.css';

/** Lines of a run's output, without the word `[run]` that each of them has in its log. */
async function* outputOf(
  siteName: string,
  run: string,
  following: Following,
): AsyncGenerator<LogLine, undefined> {
  for await (const { id, text } of followRunLines({
    client,
    path: { uuid: siteName, run },
    query: { colors: true },
    ...following,
  }))
    yield { id, text: text.replace(/^(\S+) \[run\] ?/, '$1 ') };
  return undefined;
}

interface RunSheetProps {
  siteName: string;
  /** Identifier of the open run; undefined if none is open. */
  id: string | undefined;
  onClose(): void;
}

/** Side sheet with a run and its output, live from the first line. */
export function RunSheet({ siteName, id, onClose }: RunSheetProps) {
  const say = useWords(words);
  return (
    <SideSheet title={say('runTitle')} opened={id !== undefined} onClose={onClose}>
      {id !== undefined && <RunDetails key={id} siteName={siteName} id={id} />}
    </SideSheet>
  );
}

function RunDetails({ siteName, id }: { siteName: string; id: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const queries = useQueryClient();
  const cancel = useCancelRun(siteName);
  const { data: run, error, refetch } = useQuery(runQuery(siteName, id));
  const log = useLog({
    key: id,
    open: (following) => outputOf(siteName, id, following),
    onEnd: () => {
      queries.invalidateQueries({ queryKey: [...siteKey(siteName), 'runs'] }).catch(() => {});
    },
  });
  if (!run) return error ? <ProblemNote error={error} onRetry={() => refetch()} /> : <LoadingSkeleton />;
  const runtime = runtimeOf(run);
  return (
    <Stack gap="md">
      <code className={classes.command} dir="ltr">
        {run.command}
      </code>
      <Group gap="sm">
        <ToneBadge tone={toneOfRun(run)}>{say(`run_${run.status}`)}</ToneBadge>
        <Text size="sm" c="dimmed">
          <TimeAgo at={run.requested_at} />
          {runtime !== undefined && ` · ${formatDuration(runtime, language)}`}
        </Text>
      </Group>
      {run.reason && run.status !== 'succeeded' && <Text>{run.reason}</Text>}
      {isUnfinished(run) && (
        <ForRole atLeast="deploy">
          <ConfirmButton
            label={say('cancelRun')}
            keep={say('keepRunning')}
            about={say('cancelRunAbout')}
            error={cancel.error}
            isPending={cancel.isPending}
            onConfirm={() => cancel.mutate(id)}
          />
        </ForRole>
      )}
      <LogView log={log} fileName={`${siteName}-run-${id}.log`} empty={say('noOutput')} />
    </Stack>
  );
}
