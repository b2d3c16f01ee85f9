import { Anchor, Button, Container, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLink, useNavigate } from '@tanstack/react-router';
import { Layers, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { BackLink } from '../../../components/back-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { groupsQuery, useCreateGroup } from '../api/groups.ts';
import classes from '../components/variables.module.css';
import { words } from '../words.ts';

const GroupLink = createLink(Anchor<'a'>);

/** Page with the user's groups of variables. */
export function VariableGroups() {
  const say = useWords(words);
  const [isNew, setNew] = useState(false);
  const { data: groups, error, refetch } = useQuery(groupsQuery);
  const newButton = (
    <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setNew(true)}>
      {say('newGroup')}
    </Button>
  );
  return (
    <Container size="sm" p={0}>
      <Stack gap="lg">
        <BackLink to="/sites">{say('sites')}</BackLink>
        <PageHead title={say('groups')} about={say('groupsAbout')}>
          {!isNew && groups !== undefined && groups.length > 0 && newButton}
        </PageHead>
        {isNew && <NewGroup onCancel={() => setNew(false)} />}
        <ProblemNote error={error} onRetry={() => refetch()} />
        {!groups && !error && <Skeleton height={140} radius="lg" />}
        {groups?.length === 0 && !isNew && (
          <EmptyState order={2} icon={Layers} title={say('noGroupsTitle')} about={say('noGroups')}>
            {newButton}
          </EmptyState>
        )}
        {groups?.map(({ name, variable_names: names, applications }) => (
          <Card key={name} aria-label={name}>
            <GroupLink
              to="/settings/variable-groups/$group"
              params={{ group: name }}
              className={classes.name}
              dir="ltr"
            >
              {name}
            </GroupLink>
            <Text size="sm" c="dimmed">
              {say('variableCount', { n: names.length })} ·{' '}
              {applications.length === 0
                ? say('linkedToNone')
                : say('linkedTo', { sites: applications.map((one) => one.name).join(', ') })}
            </Text>
          </Card>
        ))}
      </Stack>
    </Container>
  );
}

const GROUP_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function NewGroup({ onCancel }: { onCancel(): void }) {
  const say = useWords(words);
  const navigate = useNavigate();
  const create = useCreateGroup();
  const [text, setText] = useState('');
  const [isSent, setSent] = useState(false);
  const name = text.trim().toLowerCase();
  const isWrong = !GROUP_NAME.test(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (create.isPending || isWrong) return;
    create.mutate(name, {
      onSuccess: () => navigate({ to: '/settings/variable-groups/$group', params: { group: name } }),
    });
  };
  return (
    <Card title={say('newGroup')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={say('groupName')}
            description={say('groupNameAbout')}
            placeholder="shared"
            required
            autoFocus
            dir="ltr"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className={classes.code ?? ''}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={isSent && isWrong && say('wrongGroupName')}
          />
          <ProblemNote error={create.error} />
          <Group gap="sm">
            <Button type="submit" loading={create.isPending}>
              {say('create')}
            </Button>
            <Button variant="default" onClick={onCancel}>
              {say('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
