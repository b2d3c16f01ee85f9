import { Anchor, Button, Container, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Brand } from '../../../components/brand.tsx';
import { Card } from '../../../components/card.tsx';
import { LanguageMenu } from '../../../components/language-menu.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { CODE_LENGTH, codeText } from '../../../lib/code-text.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useStored } from '../../../lib/stored-value.ts';
import { useAskForCode, useSignIn } from '../api/session.ts';
import { words } from '../words.ts';

const WAIT_SECONDS = 30;
/**
 * Address of the web page with the server's outbox; undefined unless the server keeps mails instead of sending them.
 */
const { outbox } = document.documentElement.dataset;
const route = getRouteApi('/sign-in');

/** Sign-in page with a mailed code. Both steps survive a switch to the mail app on the same phone. */
export function SignIn() {
  const say = useWords(words);
  // Email address to which a code was sent. It is stored, since a phone may discard the page while the mail is read.
  const [asked, setAsked] = useStored('sign-in', '');
  return (
    <Container size={460} py="md">
      <Group component="header" justify="space-between" wrap="nowrap">
        <Link to="/" className="plain-link">
          <Brand />
        </Link>
        <LanguageMenu />
      </Group>
      <Card mt={{ base: 32, sm: 72 }} p={{ base: 'lg', sm: 'xl' }}>
        <main>
          <title>{`${say('title')} · Simcha`}</title>
          <Title order={1} size="h2" mb="xs">
            {say('title')}
          </Title>
          {asked ? (
            <CodeForm email={asked} onOther={() => setAsked('')} />
          ) : (
            <AddressForm onAsked={setAsked} />
          )}
        </main>
      </Card>
    </Container>
  );
}

function AddressForm({ onAsked }: { onAsked(email: string): void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const ask = useAskForCode();
  const [email, setEmail] = useState('');
  const problem = ask.error ? problemOf(ask.error, language) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ask.isPending) ask.mutate(email.trim(), { onSuccess: () => onAsked(email.trim()) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text c="dimmed">{say('about')}</Text>
        {problem && !problem.field && <ProblemNote error={ask.error} />}
        <TextInput
          label={say('email')}
          type="email"
          name="email"
          dir="ltr"
          autoComplete="email"
          inputMode="email"
          autoFocus
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={problem?.field === 'email' && problem.complaint}
        />
        <Button type="submit" loading={ask.isPending}>
          {say('send')}
        </Button>
      </Stack>
    </form>
  );
}

function CodeForm({ email, onOther }: { email: string; onOther(): void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { to } = route.useSearch();
  const router = useRouter();
  const [code, setCode] = useState('');
  const [, setAsked] = useStored('sign-in', '');
  const [wait, setWait] = useState(WAIT_SECONDS);
  useInterval(() => setWait((left) => Math.max(0, left - 1)), 1_000, { autoInvoke: true });
  const ask = useAskForCode();
  const signIn = useSignIn();
  const problem = signIn.error ? problemOf(signIn.error, language) : undefined;
  const isAboutCode = problem && !problem.isOffline && (problem.field === 'code' || !problem.field);

  const enter = (typed: string) => {
    // A sign-in code is valid once, so it is not sent again while the next page loads.
    if (signIn.isPending || signIn.isSuccess) return;
    signIn.mutate(
      { email, code: typed },
      {
        onSuccess() {
          setAsked('');
          router.history.replace(to ?? '/');
        },
      },
    );
  };
  const type = (text: string) => {
    const shown = codeText(text);
    setCode(shown);
    // A complete sign-in code is submitted automatically, whether it was pasted or typed.
    if (shown.length === CODE_LENGTH && shown !== code) enter(shown);
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        enter(code);
      }}
    >
      <Stack>
        <Text role="status">{say('sent', { email })}</Text>
        {problem && !isAboutCode && <ProblemNote error={signIn.error} />}
        <TextInput
          label={say('code')}
          name="code"
          dir="ltr"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
          placeholder="XXXX-XXXX"
          styles={{ input: { letterSpacing: '0.15em', fontWeight: 600, textAlign: 'center' } }}
          value={code}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          error={isAboutCode && problem.complaint}
        />
        <Button type="submit" loading={signIn.isPending}>
          {say('enter')}
        </Button>
        <ProblemNote error={ask.error} />
        <Group justify="space-between" gap="xs">
          <Button
            variant="subtle"
            size="sm"
            px={6}
            disabled={wait > 0}
            loading={ask.isPending}
            onClick={() => ask.mutate(email, { onSuccess: () => setWait(WAIT_SECONDS) })}
          >
            {wait > 0 ? say('resendIn', { n: wait }) : say('resend')}
          </Button>
          <Button variant="subtle" size="sm" px={6} onClick={onOther}>
            {say('other')}
          </Button>
        </Group>
        {outbox ? (
          <Text c="dimmed" size="sm">
            {say('kept')} <Anchor href={outbox}>{say('outbox')}</Anchor>
          </Text>
        ) : (
          <Text c="dimmed" size="sm">
            {say('spam')}
          </Text>
        )}
      </Stack>
    </form>
  );
}
