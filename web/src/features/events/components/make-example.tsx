import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useMakeExample } from '../api/example.ts';
import { words } from '../words.ts';

/** Button that creates the example event and opens it; less prominent if the user has other events. */
export function MakeExample({ isQuiet = false }: { isQuiet?: boolean }) {
  const say = useWords(words);
  const navigate = useNavigate();
  const make = useMakeExample();
  // The button is removed as soon as the user has an event. React Query does not call the callbacks of `mutate` for a
  // removed component, so the promise of `mutateAsync` is used.
  const submit = () =>
    make.mutateAsync().then(
      ({ id }) => navigate({ to: '/events/$eventId', params: { eventId: id } }),
      () => {},
    );
  return (
    <>
      <Button
        variant={isQuiet ? 'subtle' : 'default'}
        size={isQuiet ? 'md' : 'lg'}
        leftSection={<Sparkles size={20} aria-hidden />}
        loading={make.isPending}
        onClick={() => void submit()}
      >
        {say('makeExample')}
      </Button>
      <ProblemNote error={make.error} />
    </>
  );
}
