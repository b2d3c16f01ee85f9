import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ReadOnlyBelow } from '../../../components/for-role.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';
import { useSite } from '../../sites/api/sites.ts';
import { rulesQuery } from '../api/rules.ts';
import { MaintenanceCard } from '../components/maintenance-card.tsx';
import { ProtectionCard } from '../components/protection-card.tsx';
import { RuleLinesCard } from '../components/rule-lines-card.tsx';
import { words } from '../words.ts';

/** Page with what visitors of a site meet before it: a maintenance page, a password, redirects and headers. */
export function Rules() {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { name } = useSite();
  const { data: rules, error, refetch } = useQuery(rulesQuery(name));
  return (
    <Stack gap="lg">
      <PageHead order={2} title={sayName('rules')} about={say('about')} />
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!rules && !error && <LoadingSkeleton />}
      {rules && (
        <ReadOnlyBelow atLeast="administer">
          <Stack gap="lg">
            <MaintenanceCard name={name} rules={rules} />
            <ProtectionCard name={name} rules={rules} />
            <RuleLinesCard name={name} rules={rules} kind="redirects" />
            <RuleLinesCard name={name} rules={rules} kind="headers" />
          </Stack>
        </ReadOnlyBelow>
      )}
    </Stack>
  );
}
