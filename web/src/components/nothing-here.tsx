import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords } from '../lib/language-context.tsx';
import type { Catalogue } from '../lib/words.ts';

const words = {
  title: { he: 'אין כאן כלום', ar: 'لا شيء هنا', en: 'There is nothing here' },
  about: {
    he: 'הכתובת אולי השתנתה, או שהדף לא שלכם.',
    ar: 'ربّما تغيّر العنوان، أو أن الصفحة ليست لكم.',
    en: 'The address may have changed, or the page isn’t yours.',
  },
  home: { he: 'לדף הראשי', ar: 'إلى الصفحة الرئيسية', en: 'To the home page' },
} as const satisfies Catalogue;

export function NothingHere({ sentence }: { sentence?: string }) {
  const say = useWords(words);
  return (
    <Container size="xs" py={80}>
      <Stack align="center" ta="center">
        <Title order={1} size="h2">
          {say('title')}
        </Title>
        <Text c="dimmed">{sentence ?? say('about')}</Text>
        <Button component={Link} to="/">
          {say('home')}
        </Button>
      </Stack>
    </Container>
  );
}
