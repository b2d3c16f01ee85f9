import { ActionIcon, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link2, Unlink } from 'lucide-react';
import { useState } from 'react';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { groupsQuery } from '../api/groups.ts';
import { useLinkGroup } from '../api/variables.ts';
import { words } from '../words.ts';
import classes from './variables.module.css';

interface LinkedGroupsProps {
  siteName: string;
  /** Names of the linked groups; the first one overrides the others. */
  groups: readonly string[];
}

/** Groups of variables that are linked to a site, for the site's owner. */
export function LinkedGroups({ siteName, groups }: LinkedGroupsProps) {
  const say = useWords(words);
  const link = useLinkGroup(siteName);
  const { data: all = [], error } = useQuery(groupsQuery);
  const [chosen, setChosen] = useState('');
  const others = all.map(({ name }) => name).filter((name) => !groups.includes(name));
  const group = others.includes(chosen) ? chosen : (others[0] ?? '');
  return (
    <Card title={say('groups')}>
      <Stack gap="sm">
        <Text c="dimmed">{say(groups.length > 1 ? 'groupsOrder' : 'groupsAbout')}</Text>
        {groups.length > 0 && (
          <ul className={classes.list}>
            {groups.map((name) => (
              <li key={name} className={classes.linked}>
                <bdi dir="ltr" className={classes.name}>
                  {name}
                </bdi>
                <ActionIcon
                  c="dimmed"
                  aria-label={say('unlink', { group: name })}
                  onClick={() => link.mutate({ group: name, isLinked: false })}
                >
                  <Unlink size={20} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        <ProblemNote error={link.error ?? error} />
        <Group gap="sm" align="flex-end">
          {others.length > 0 && (
            <>
              <NativeSelect
                label={say('group')}
                value={group}
                data={others}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              />
              <Button
                variant="default"
                leftSection={<Link2 size={18} aria-hidden />}
                loading={link.isPending}
                onClick={() => link.mutate({ group, isLinked: true })}
              >
                {say('link')}
              </Button>
            </>
          )}
          <ButtonLink to="/settings/variable-groups" variant="default">
            {say('manageGroups')}
          </ButtonLink>
        </Group>
      </Stack>
    </Card>
  );
}
