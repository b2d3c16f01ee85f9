import { Badge, Button, Container, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { AccessToken, ShownAccessToken } from 'simcha-client';
import { BackLink } from '../../../components/back-link.tsx';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { CopyText } from '../../../components/copy-text.tsx';
import { useNotify } from '../../../components/notify.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime, joinTexts } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { subjectsQuery, tokensQuery, useRevokeToken } from '../api/tokens.ts';
import { NewToken } from '../components/new-token.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/settings/tokens');

type Shown = 'list' | 'form' | ShownAccessToken;

/** Page with the user's API keys and access tokens: creating one, which is shown once, and revoking them. */
export function Tokens() {
  const say = useWords(words);
  const search = route.useSearch();
  const [shown, setShown] = useState<Shown>(search.scope ? 'form' : 'list');
  return (
    <Container size="sm" p={0}>
      <Stack gap="lg">
        <BackLink to="/settings">{say('settings')}</BackLink>
        <PageHead title={say('title')} about={say('about')}>
          {shown === 'list' && (
            <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setShown('form')}>
              {say('newToken')}
            </Button>
          )}
        </PageHead>
        {shown === 'form' && (
          <NewToken preset={search} onCreated={setShown} onCancel={() => setShown('list')} />
        )}
        {typeof shown === 'object' && <CreatedToken token={shown.token} onDone={() => setShown('list')} />}
        <TokenList />
      </Stack>
    </Container>
  );
}

function CreatedToken({ token, onDone }: { token: string; onDone(): void }) {
  const say = useWords(words);
  return (
    <Card title={say('created')}>
      <Stack gap="sm" align="stretch">
        <Text role="status" fw={500}>
          {say('once')}
        </Text>
        <TextInput
          aria-label={say('token')}
          readOnly
          dir="ltr"
          value={token}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Group>
          <CopyText text={token} label={say('copy')} />
          <Button variant="subtle" onClick={onDone}>
            {say('done')}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

function TokenList() {
  const say = useWords(words);
  const { data: tokens, error, refetch } = useQuery(tokensQuery);
  return (
    <Card title={say('yours')}>
      <ProblemNote error={error} onRetry={() => refetch()} />
      {!tokens && !error && <Skeleton height={72} />}
      {tokens?.length === 0 && <Text c="dimmed">{say('none')}</Text>}
      <Stack component="ul" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
        {tokens?.toReversed().map((token) => (
          <TokenEntry key={token.id} token={token} />
        ))}
      </Stack>
    </Card>
  );
}

function TokenEntry({ token }: { token: AccessToken }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notify = useNotify();
  const revoke = useRevokeToken();
  const { data: subjects = [] } = useQuery(subjectsQuery);
  const { id, name, hint, scopes, expires_at: end, last_used_at: used } = token;
  const subjectId = token.event_id ?? token.application_id;
  const subject = subjects.find((one) => one.id === subjectId)?.name ?? say('anotherSubject');
  const isExpired = end !== null && Date.parse(end) <= Date.now();
  const facts = [
    joinTexts(
      scopes.map((scope) => say(scope)),
      language,
    ),
    ...(subjectId ? [say('onlyFor', { name: subject })] : []),
    say('beginsWith', { hint }),
    used ? say('lastUsed', { when: dateAndTime(used, language) }) : say('notUsed'),
    ...(end && !isExpired ? [say('expires', { when: dateAndTime(end, language) })] : []),
  ];
  return (
    <Group component="li" wrap="nowrap" gap="sm" align="flex-start">
      <KeyRound size={22} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
        <div>
          <Group gap={8}>
            <Title order={3} size="h5" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            {isExpired && (
              <Badge tt="none" fw={500} bg="var(--simcha-bad)" c="var(--simcha-bad-ink)">
                {say('expired')}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {facts.join(' · ')}
          </Text>
        </div>
        <ConfirmButton
          label={say('revoke')}
          keep={say('keep')}
          about={say('revokeAbout')}
          error={revoke.error}
          isPending={revoke.isPending}
          onConfirm={() => revoke.mutate(id, { onSuccess: () => notify(say('revoked')) })}
        />
      </Stack>
    </Group>
  );
}
