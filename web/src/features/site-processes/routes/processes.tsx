import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import type { Processes as ProcessesRecord } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useSite } from '../../sites/api/sites.ts';
import { processesQuery, usageQuery } from '../api/processes.ts';
import { lastRunsQuery } from '../api/runs.ts';
import { JobEntry } from '../components/job-entry.tsx';
import { ProcessEntry } from '../components/process-entry.tsx';
import classes from '../components/processes.module.css';
import { RunForm } from '../components/run-form.tsx';
import { RunList } from '../components/run-list.tsx';
import { RunSheet } from '../components/run-sheet.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/sites/$name/processes');

/** Page with the processes, scheduled jobs and commands of a site. */
export function Processes() {
  const say = useWords(words);
  const { name } = useSite();
  const { data: processes, error, refetch } = useQuery(processesQuery(name));
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} about={say('about')} />
      <ProblemNote error={error} onRetry={() => refetch()} />
      {!processes && !error && <Skeleton height={200} radius="lg" />}
      {processes?.processes.length === 0 && <NoProcesses />}
      {processes && processes.processes.length > 0 && <SiteProcesses processes={processes} />}
    </Stack>
  );
}

/** Placeholder of a site that has no release yet, or whose files the gateway serves without a process. */
function NoProcesses() {
  const say = useWords(words);
  const { name, site } = useSite();
  const isStatic = site.deployed_at !== null;
  return (
    <EmptyState
      icon={Boxes}
      title={say(isStatic ? 'staticTitle' : 'noneTitle')}
      about={say(isStatic ? 'static' : 'none')}
    >
      {!isStatic && (
        <ButtonLink to="/sites/$name/deployments" params={{ name }}>
          {say('toDeployments')}
        </ButtonLink>
      )}
    </EmptyState>
  );
}

function SiteProcesses({ processes: { processes, release, jobs } }: { processes: ProcessesRecord }) {
  const say = useWords(words);
  const navigate = useNavigate();
  const { name, site } = useSite();
  const { run, job } = route.useSearch();
  const { data: usage = {} } = useQuery(usageQuery(name));
  const { data: lastRuns = {} } = useQuery(
    lastRunsQuery(
      name,
      jobs.map((one) => one.name),
    ),
  );
  return (
    <>
      <Card aria-label={say('title')}>
        <ul className={classes.list}>
          {processes.map((process) => (
            <ProcessEntry
              key={process.name}
              siteName={name}
              process={process}
              isSiteStopped={site.status === 'stopped'}
              usage={usage[process.name]}
            />
          ))}
          {release !== null && <ReleaseCommand command={release} />}
        </ul>
      </Card>
      <Card title={say('jobs')}>
        {jobs.length === 0 ? (
          <Text c="dimmed">{say('noJobs')}</Text>
        ) : (
          <ul className={classes.list}>
            {jobs.map((one) => (
              <JobEntry key={one.name} siteName={name} job={one} lastRun={lastRuns[one.name]} />
            ))}
          </ul>
        )}
      </Card>
      <div id="runs">
        <Card title={say('runs')}>
          <Stack gap="lg">
            <ForRole atLeast="deploy">
              <RunForm siteName={name} />
            </ForRole>
            <div>
              <RunList siteName={name} job={job} />
            </div>
          </Stack>
        </Card>
      </div>
      <RunSheet
        siteName={name}
        id={run}
        onClose={() => navigate({ to: '.', search: { ...(job && { job }) }, resetScroll: false })}
      />
    </>
  );
}

function ReleaseCommand({ command }: { command: string }) {
  const say = useWords(words);
  return (
    <li className={classes.entry}>
      <div className={classes.text}>
        <Title order={3} size="h5">
          {say('releaseCommand')}
        </Title>
        <code className={classes.command} dir="ltr">
          {command}
        </code>
        <Text size="sm" c="dimmed">
          {say('releaseAbout')}
        </Text>
      </div>
    </li>
  );
}
