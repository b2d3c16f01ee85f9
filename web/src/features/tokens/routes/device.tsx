import { Alert, Button, Container, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { CODE_LENGTH, codeText } from '../../../lib/code-text.ts';
import { joinTexts } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { deviceQuery, useDecideDevice } from '../api/device.ts';
import { words } from '../words.ts';

const route = getRouteApi('/inside/device');

/** Page on which a user confirms a device that has no browser, such as a command line, by the code that it shows. */
export function Device() {
  const say = useWords(words);
  const { code = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Container size="xs" p={0}>
      <Stack gap="lg">
        <PageHead title={say('deviceTitle')} />
        {code === '' ? (
          <CodeForm onTyped={(typed) => navigate({ search: { code: typed } })} />
        ) : (
          <Decision key={code} code={code} onOther={() => navigate({ search: {} })} />
        )}
      </Stack>
    </Container>
  );
}

function CodeForm({ onTyped }: { onTyped(code: string): void }) {
  const say = useWords(words);
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === CODE_LENGTH) onTyped(code);
  };
  return (
    <Card>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text c="dimmed">{say('deviceAbout')}</Text>
          <TextInput
            label={say('code')}
            name="code"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            required
            placeholder="XXXX-XXXX"
            styles={{ input: { letterSpacing: '0.15em', fontWeight: 600, textAlign: 'center' } }}
            value={code}
            onChange={({ currentTarget }) => setCode(codeText(currentTarget.value))}
          />
          <Button type="submit" disabled={code.length !== CODE_LENGTH}>
            {say('goOn')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

function Decision({ code, onOther }: { code: string; onOther(): void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: device, error } = useQuery(deviceQuery(code));
  const decide = useDecideDevice(code);
  if (decide.isSuccess) return <Decided isAllowed={decide.variables} />;
  if (error) {
    return (
      <Stack align="flex-start">
        <ProblemNote error={error} />
        <Button variant="default" onClick={onOther}>
          {say('otherCode')}
        </Button>
      </Stack>
    );
  }
  if (!device) return <Skeleton height={220} />;
  const { client, address, scopes, same_network: isSameNetwork } = device;
  return (
    <Card>
      <Stack>
        <Title order={2} size="h4">
          {say('asks', { client })}
        </Title>
        <div>
          <Text>{say('fromAddress', { address })}</Text>
          <Text>
            {say('asksFor', {
              what: joinTexts(
                scopes.map((scope) => say(scope)),
                language,
              ),
            })}
          </Text>
        </div>
        {!isSameNetwork && (
          <Alert
            color="var(--simcha-wait-ink)"
            bg="var(--simcha-wait)"
            c="var(--simcha-wait-ink)"
            icon={<TriangleAlert aria-hidden />}
          >
            <Text c="var(--simcha-wait-ink)">{say('otherNetwork')}</Text>
          </Alert>
        )}
        <Text c="dimmed">{say('onlyIfYours')}</Text>
        <ProblemNote error={decide.error} />
        <Group grow>
          <Button
            variant="default"
            loading={decide.isPending && decide.variables === false}
            onClick={() => decide.mutate(false)}
          >
            {say('refuse')}
          </Button>
          <Button loading={decide.isPending && decide.variables === true} onClick={() => decide.mutate(true)}>
            {say('allow')}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

function Decided({ isAllowed }: { isAllowed: boolean }) {
  const say = useWords(words);
  return (
    <Card>
      <Stack align="flex-start" role="status">
        <Title order={2} size="h4">
          {say(isAllowed ? 'allowed' : 'refused')}
        </Title>
        <Text>{say(isAllowed ? 'allowedAbout' : 'refusedAbout')}</Text>
        <ButtonLink to="/settings/tokens" variant="default">
          {say('title')}
        </ButtonLink>
      </Stack>
    </Card>
  );
}
