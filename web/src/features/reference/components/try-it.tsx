import { Button, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { type Description, type Operation, tryOperation } from '../api/description.ts';
import { words } from '../words.ts';
import { Code } from './code.tsx';
import { exampleBody } from './command.ts';
import { storedCredential } from './credential-field.tsx';

interface TryItProps {
  operation: Operation;
  resolve: Description['resolve'];
  /** Values of the call's parameters, by name. */
  given: Readonly<Record<string, string>>;
  onGiven(given: Record<string, string>): void;
}

/**
 * Form of the API reference that really sends the call, with the API key or token of the page's field, or else with the
 * page's session. Bodies other than JSON are left to the command line.
 */
export function TryIt({ operation, resolve, given, onGiven }: TryItProps) {
  const say = useWords(words);
  const asked = operation.parameters.filter(({ in: place }) => place !== 'header');
  const sample = exampleBody(operation, resolve);
  const [text, setText] = useState(() => (sample === undefined ? '' : JSON.stringify(sample, null, 2)));
  const [isBroken, setBroken] = useState(false);
  const attempt = useMutation({ mutationFn: tryOperationWith });
  const isJson = !operation.body || 'application/json' in operation.body.content;
  const isStream = operation.answers.some(({ content }) => content && 'text/event-stream' in content);
  if (!isJson || isStream) return null;

  async function tryOperationWith(body: unknown) {
    const of = (place: string) =>
      Object.fromEntries(
        asked
          .filter((one) => one.in === place && given[one.name])
          .map(({ name }) => [name, given[name] ?? '']),
      );
    return tryOperation(operation, {
      path: of('path'),
      query: of('query'),
      body,
      credential: storedCredential(),
    });
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      const body = operation.body && text.trim() !== '' ? JSON.parse(text) : undefined;
      setBroken(false);
      attempt.mutate(body);
    } catch {
      setBroken(true);
    }
  };
  return (
    <section>
      <Title order={3} size="h5" mb={4}>
        {say('tryIt')}
      </Title>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {say('tryAbout')}
          </Text>
          {asked.map(({ name, required }) => (
            <TextInput
              key={name}
              label={name}
              dir="ltr"
              required={required ?? false}
              value={given[name] ?? ''}
              onChange={({ currentTarget }) => onGiven({ ...given, [name]: currentTarget.value })}
            />
          ))}
          {operation.body && (
            <Textarea
              label={say('body')}
              dir="ltr"
              maxRows={20}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.85rem' } }}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              error={isBroken && say('noJson')}
            />
          )}
          <Group>
            <Button type="submit" variant="default" loading={attempt.isPending}>
              {say('send')}
            </Button>
          </Group>
          <ProblemNote error={attempt.error} />
          {attempt.data && (
            <div role="status">
              <Code title={say('answered', { status: attempt.data.status })}>{attempt.data.text || '—'}</Code>
            </div>
          )}
        </Stack>
      </form>
    </section>
  );
}
