import { Anchor, type AnchorProps, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import { readStored, useStored } from '../../../lib/stored-value.ts';
import { sessionQuery } from '../../sign-in/api/session.ts';
import { words } from '../words.ts';

const TextLink = createLink(
  ({ ref, ...props }: AnchorProps & { ref?: Ref<HTMLAnchorElement>; children?: ReactNode }) => (
    <Anchor ref={ref} {...props} />
  ),
);

const NAME = 'reference-key';

/** Beginning of a header, which people copy together with the key or token. */
const HEADER = /^(?:(?:authorization|x-api-key)\s*:\s*)?(?:bearer\s+)?/i;

/** API key or token with which the reference sends calls; empty: the page's session. */
export const storedCredential = (): string => readStored<string>(NAME)?.trim().replace(HEADER, '') ?? '';

/** Field for the API key or token with which calls are tried out, and links to get one. */
export function CredentialField() {
  const say = useWords(words);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [key, setKey] = useStored(NAME, '');
  return (
    <Stack gap={6}>
      <PasswordInput
        label={say('key')}
        description={say('keyAbout')}
        placeholder="sk_…"
        dir="ltr"
        autoComplete="off"
        value={key}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <Group gap="md">
        {session ? (
          <>
            <Text size="sm" c="dimmed">
              {say('signedInAs', { email: session.user.email })}
            </Text>
            <TextLink to="/settings/tokens" size="sm">
              {say('createToken')}
            </TextLink>
          </>
        ) : (
          <TextLink to="/sign-in" search={{ to: '/docs' }} size="sm">
            {say('signIn')}
          </TextLink>
        )}
      </Group>
    </Stack>
  );
}
