import { Container } from '@mantine/core';
import { Waiting } from '../components/waiting.tsx';

/** Before it is known whose page it is: where its sheets will be, below where its head will be. */
export function PageWaiting() {
  return (
    <Container size="lg" pt={60}>
      <Waiting />
    </Container>
  );
}
