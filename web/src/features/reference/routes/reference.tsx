import { Anchor, Container, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Brand } from '../../../components/brand.tsx';
import { LanguageMenu } from '../../../components/language-menu.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { type Description, descriptionQuery } from '../api/description.ts';
import { CredentialField } from '../components/credential-field.tsx';
import { OperationPart } from '../components/operation.tsx';
import classes from '../components/reference.module.css';
import { words } from '../words.ts';

/** Page with the reference of all API calls, made from the server's API description; `#operationId` opens one call. */
export function Reference() {
  const say = useWords(words);
  const { data } = useSuspenseQuery(descriptionQuery);
  const { open, toggle } = useOpenOperations();
  const [typed, setTyped] = useState('');
  const groups = findOperations(data.groups, typed);
  const found = groups.reduce((sum, { operations }) => sum + operations.length, 0);

  return (
    <Container size="xl" py="md">
      <title>{`${say('title')} · Simcha`}</title>
      <Group component="header" justify="space-between" wrap="nowrap">
        <Link to="/" className="plain-link">
          <Brand />
        </Link>
        <LanguageMenu />
      </Group>
      <Stack component="main" gap="lg" pt="lg">
        <div>
          <Title order={1} size="h2">
            {say('title')}
          </Title>
          <Text c="dimmed">
            {say('about')} <Anchor href="/openapi.json">{say('machine')}</Anchor>
          </Text>
        </div>
        <TextInput
          label={say('search')}
          placeholder="POST guests"
          type="search"
          dir="ltr"
          leftSection={<Search size={18} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <CredentialField />
        <Text role="status" size="sm" c="dimmed">
          {say('found', { n: found })}
        </Text>
        <div className={classes.layout}>
          <nav aria-label={say('groups')} className={classes.groups} dir="ltr">
            <ul>
              {groups.map(({ name }) => (
                <li key={name}>
                  <a href={`#group-${name}`}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
          <Stack gap="xl">
            {groups.map(({ name, description, operations }) => (
              <section key={name} aria-labelledby={`group-${name}`}>
                <Title order={2} size="h3" id={`group-${name}`} dir="ltr" style={{ scrollMarginTop: 76 }}>
                  {name}
                </Title>
                <Text c="dimmed" dir="ltr" mb="sm">
                  {description}
                </Text>
                <Stack gap="xs">
                  {operations.map((operation) => (
                    <OperationPart
                      key={operation.operationId}
                      operation={operation}
                      resolve={data.resolve}
                      isOpen={open.has(operation.operationId)}
                      onToggle={(isOpen) => toggle(operation.operationId, isOpen)}
                    />
                  ))}
                </Stack>
              </section>
            ))}
          </Stack>
        </div>
      </Stack>
    </Container>
  );
}

/** Ids of the open calls in the API reference: the one in the address, and those that the reader opens. */
function useOpenOperations() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [open, setOpen] = useState(() => new Set(hash ? [hash] : []));
  useEffect(() => {
    if (!hash) return;
    setOpen((before) => new Set(before).add(hash));
    document.getElementById(hash)?.scrollIntoView();
  }, [hash]);

  const toggle = (id: string, isOpen: boolean) => {
    if (open.has(id) === isOpen) return;
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
    if (isOpen) navigate({ to: '/docs', hash: id, replace: true, hashScrollIntoView: false }).catch(() => {});
  };
  return { open, toggle };
}

/** Groups of the API reference, each with only those calls in which every typed word occurs. */
function findOperations(groups: Description['groups'], typed: string): Description['groups'] {
  const parts = typed.trim().toLowerCase().split(/\s+/);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ method, path, summary, operationId }) => {
        const text = `${method} ${path} ${summary} ${operationId} ${group.name}`.toLowerCase();
        return parts.every((part) => text.includes(part));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}
