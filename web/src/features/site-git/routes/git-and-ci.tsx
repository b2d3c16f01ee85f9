import { Stack, Text } from '@mantine/core';
import { ForRole } from '../../../components/for-role.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';
import { useSite } from '../../sites/api/sites.ts';
import { CiCard } from '../components/ci-card.tsx';
import { DeliveriesCard } from '../components/deliveries-card.tsx';
import { DeployKeyCard } from '../components/deploy-key-card.tsx';
import { PushHookCard } from '../components/push-hook-card.tsx';
import { WebhooksCard } from '../components/webhooks-card.tsx';
import { words } from '../words.ts';

/** Page with what connects a site to its repository and to a pipeline: deploy key, push hook, lines for CI. */
export function GitAndCi() {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { name, site } = useSite();
  const { repository } = site;
  return (
    <Stack gap="lg">
      <PageHead order={2} title={sayName('gitAndCi')} about={say('about')} />
      {repository === null ? (
        <Text>{say('noRepository')}</Text>
      ) : (
        <>
          <ForRole atLeast="administer">
            <PushHookCard name={name} site={site} repository={repository} />
          </ForRole>
          <DeliveriesCard name={name} />
          <ForRole atLeast="administer">
            <DeployKeyCard name={name} site={site} repository={repository} />
          </ForRole>
        </>
      )}
      <CiCard name={name} site={site} />
      <WebhooksCard site={site} />
    </Stack>
  );
}
