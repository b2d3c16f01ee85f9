import { Anchor, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { localDateAndTime } from '../../../lib/durations.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';
import { useSite } from '../../sites/api/sites.ts';
import { figuresQuery, type SiteFigures, SPANS, type Span } from '../api/figures.ts';
import { formatBytes, formatCount, formatMs } from '../api/formats.ts';
import { FigurePlots } from '../components/figure-plots.tsx';
import { words } from '../words.ts';

/** Figures of a site's use. */
export function Figures() {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { name, site } = useSite();
  const [span, setSpan] = useState<Span>('day');
  return (
    <Stack gap="md">
      <PageHead order={2} title={sayName('figures')}>
        {site.deployed_at !== null && (
          <SegmentedControl
            aria-label={say('span')}
            value={span}
            onChange={(value) => setSpan(value as Span)}
            data={(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: say(value) }))}
          />
        )}
      </PageHead>
      {site.deployed_at === null ? (
        <Text c="dimmed">{say('notDeployed')}</Text>
      ) : (
        <SpanFigures name={name} span={span} />
      )}
    </Stack>
  );
}

function SpanFigures({ name, span }: { name: string; span: Span }) {
  const say = useWords(words);
  const { data: figures, error, refetch } = useQuery(figuresQuery(name, span));
  if (!figures) return error ? <ProblemNote error={error} onRetry={() => refetch()} /> : <LoadingSkeleton />;
  return (
    <>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      <Totals total={figures.total} />
      {figures.total.requests === 0 && <Text c="dimmed">{say('noRequests')}</Text>}
      <FigurePlots figures={figures} span={span} />
      {figures.processes.length === 0 && <Text c="dimmed">{say('unmeasured')}</Text>}
      <EndedDeployments name={name} deployments={figures.deployments} />
    </>
  );
}

function Totals({ total }: Pick<SiteFigures, 'total'>) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { requests, responses, p50_ms: median, bytes_in: bytesIn, bytes_out: bytesOut } = total;
  const facts = [
    [say('requests'), formatCount(requests, language)],
    [say('serverErrors'), formatCount(responses['5xx'], language)],
    [say('medianTime'), median === null ? '–' : formatMs(median, language)],
    [say('traffic'), formatBytes(bytesIn + bytesOut, language)],
  ];
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="sm" m={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} size="xl" fw={600}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

/** Deployments that the plots mark, newest first. */
function EndedDeployments({ name, deployments }: Pick<SiteFigures, 'deployments'> & { name: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (deployments.length === 0) return null;
  return (
    <Card title={say('deployments')}>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {deployments
          .toReversed()
          .map(({ deployment_uuid: id, status, commit_hash: commit, ended_at: at }) => (
            <li key={id}>
              <Anchor
                renderRoot={(props) => (
                  <Link
                    to="/sites/$name/deployments/$deploymentId"
                    params={{ name, deploymentId: id }}
                    {...props}
                  />
                )}
              >
                {localDateAndTime(at, language)}
              </Anchor>{' '}
              {say(status)} {commit && <bdi dir="ltr">{commit.slice(0, 8)}</bdi>}
            </li>
          ))}
      </Stack>
    </Card>
  );
}
