import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords } from '../lib/language-context.tsx';
import { words } from './words.ts';

interface NotFoundMessageProps {
  sentence?: string;
  /** True for a page that exists but that the user may not see. */
  isForbidden?: boolean;
}

export function NotFoundMessage({ sentence, isForbidden = false }: NotFoundMessageProps) {
  const say = useWords(words);
  return (
    <Container size="xs" py={80}>
      <Stack align="center" ta="center">
        <Title order={1} size="h2">
          {say(isForbidden ? 'forbiddenTitle' : 'nothingTitle')}
        </Title>
        <Text c="dimmed">{sentence ?? say('nothing')}</Text>
        <Button component={Link} to="/">
          {say('home')}
        </Button>
      </Stack>
    </Container>
  );
}
