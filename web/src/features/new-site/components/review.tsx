import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../../components/card.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { siteQuery } from '../../sites/api/sites.ts';
import { planQuery } from '../api/new-site.ts';
import { words } from '../words.ts';
import { ImageCard } from './image-card.tsx';
import { NoPlan } from './no-plan.tsx';
import { PlanForm } from './plan-form.tsx';
import { PushHook } from './push-hook.tsx';
import { SourceCard } from './source-card.tsx';

/** Second step of a new site: what was recognised, each line of which can be changed, before anything runs. */
export function Review({ name }: { name: string }) {
  const say = useWords(words);
  const { data: site, error: siteError } = useQuery(siteQuery(name));
  const { data: forecast, error, refetch, isFetching } = useQuery(planQuery(name));
  if (siteError && !site) return <ProblemNote error={siteError} />;
  if (!site) return <LoadingSkeleton />;
  const key = `${forecast?.commit_hash} ${forecast?.plan?.image?.digest} ${site.last_updated}`;
  return (
    <Stack gap="lg">
      <Text c="dimmed">{say('reviewAbout')}</Text>
      {site.repository !== null && (
        <SourceCard
          key={`${site.branch} ${site.root} ${site.repository}`}
          site={site}
          name={name}
          forecast={forecast}
          isLooking={isFetching}
        />
      )}
      {site.image !== null && (
        <ImageCard
          key={`${site.image} ${site.registry_user}`}
          site={site}
          name={name}
          image={site.image}
          forecast={forecast}
          isLooking={isFetching}
        />
      )}
      {isFetching ? (
        <Card>
          <Stack gap="sm" role="status" aria-busy>
            <Text>{say(site.image === null ? 'looking' : 'askingRegistry')}</Text>
            <Skeleton height={16} width="70%" />
            <Skeleton height={16} width="50%" />
            <Skeleton height={16} width="60%" />
          </Stack>
        </Card>
      ) : (
        <>
          <ProblemNote error={error} onRetry={() => refetch()} />
          {forecast?.plan && (
            <PlanForm key={key} name={name} site={site} forecast={forecast} plan={forecast.plan} />
          )}
          {forecast && !forecast.plan && <NoPlan name={name} site={site} forecast={forecast} />}
        </>
      )}
      {site.repository !== null && forecast?.plan && <PushHook name={name} repository={site.repository} />}
    </Stack>
  );
}
