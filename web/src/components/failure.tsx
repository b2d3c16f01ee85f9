import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { SimchaError } from 'simcha-client';
import { NotFoundMessage } from './not-found-message.tsx';
import { ProblemNote } from './problem-note.tsx';

/** Error page, shown in place of a page that failed to load or to render. */
export function Failure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof SimchaError && (error.status === 404 || error.status === 403)) {
    return <NotFoundMessage sentence={error.message} isForbidden={error.status === 403} />;
  }
  const onRetry = () => {
    reset();
    router.invalidate().catch(() => {});
  };
  return (
    <Container size="sm" py="xl">
      <ProblemNote error={error} onRetry={onRetry} />
    </Container>
  );
}
