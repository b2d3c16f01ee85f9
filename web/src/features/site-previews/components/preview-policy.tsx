import { Anchor, Radio, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Application } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { POLICIES, type PreviewPolicy as Policy, useSetPolicy } from '../api/previews.ts';
import { words } from '../words.ts';

/** Choice of the branches that get a preview by themselves. */
export function PreviewPolicy({ name, site }: { name: string; site: Application }) {
  const say = useWords(words);
  const notify = useNotify();
  const { mutate, error, isPending, variables } = useSetPolicy(name);
  const chosen = isPending ? variables : site.previews;
  return (
    <Card title={say('policy')}>
      <Stack>
        <Radio.Group
          aria-label={say('policy')}
          value={chosen}
          onChange={(value) => mutate(value as Policy, { onSuccess: () => notify(say('policySaved')) })}
        >
          <Stack gap="sm">
            {POLICIES.map((policy) => (
              <Radio
                key={policy}
                size="md"
                value={policy}
                label={say(policy)}
                description={say(`${policy}About`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {chosen !== 'off' && (
          <Text size="sm" c="dimmed">
            {say('needsHook')}{' '}
            <Anchor component={Link} to={`/sites/${name}/settings`} inherit>
              {say('toHook')}
            </Anchor>
          </Text>
        )}
        <ProblemNote error={error} />
      </Stack>
    </Card>
  );
}
