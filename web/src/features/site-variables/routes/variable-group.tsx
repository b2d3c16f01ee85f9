import { Button, Container, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { BackLink } from '../../../components/back-link.tsx';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { useNotify } from '../../../components/notify.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { groupQuery, useChangeGroup, useDeleteGroup } from '../api/groups.ts';
import { shownInGroup } from '../api/variables.ts';
import { VariableForm } from '../components/variable-form.tsx';
import { VariableList } from '../components/variable-list.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/settings/variable-groups/$group');

/** Page with the variables of a group. */
export function VariableGroupPage() {
  const { group } = route.useParams();
  const say = useWords(words);
  const notify = useNotify();
  const navigate = useNavigate();
  const remove = useDeleteGroup();
  const { mutateAsync: save } = useChangeGroup(group);
  const [isNew, setNew] = useState(false);
  const { data, error, refetch } = useQuery(groupQuery(group));
  const variables =
    data && Object.entries(data.variables).map(([name, definition]) => shownInGroup(name, definition));
  const sites = data?.applications.map(({ name }) => name).join(', ');
  return (
    <Container size="sm" p={0}>
      <Stack gap="lg">
        <BackLink to="/settings/variable-groups">{say('groups')}</BackLink>
        <PageHead title={group} about={sites ? say('linkedTo', { sites }) : say('linkedToNone')}>
          {!isNew && variables && (
            <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setNew(true)}>
              {say('newVariable')}
            </Button>
          )}
        </PageHead>
        <ProblemNote error={error} onRetry={() => refetch()} />
        {!data && !error && <Skeleton height={200} radius="lg" />}
        {variables && isNew && (
          <Card title={say('newVariable')}>
            <VariableForm
              variables={variables}
              save={save}
              onSaved={(name) => {
                setNew(false);
                notify(say('saved', { name }));
              }}
              onCancel={() => setNew(false)}
            />
          </Card>
        )}
        {variables?.length === 0 && !isNew && <Text c="dimmed">{say('emptyGroup')}</Text>}
        {variables && variables.length > 0 && (
          <VariableList fileName={group} variables={variables} save={save} />
        )}
        {data && sites && <Text c="dimmed">{say('groupTakesEffect')}</Text>}
        {data && (
          <ConfirmButton
            label={say('deleteGroup')}
            keep={say('keepGroup')}
            about={sites ? say('deleteGroupAbout', { sites }) : undefined}
            error={remove.error}
            isPending={remove.isPending}
            onConfirm={() =>
              remove.mutate(group, { onSuccess: () => navigate({ to: '/settings/variable-groups' }) })
            }
          />
        )}
      </Stack>
    </Container>
  );
}
