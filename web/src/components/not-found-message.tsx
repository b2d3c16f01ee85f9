import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords } from '../lib/language-context.tsx';
import { words } from './words.ts';

export function NotFoundMessage({ sentence }: { sentence?: string }) {
  const say = useWords(words);
  return (
    <Container size="xs" py={80}>
      <Stack align="center" ta="center">
        <Title order={1} size="h2">
          {say('nothingTitle')}
        </Title>
        <Text c="dimmed">{sentence ?? say('nothing')}</Text>
        <Button component={Link} to="/">
          {say('home')}
        </Button>
      </Stack>
    </Container>
  );
}
