import { Container, VisuallyHidden } from '@mantine/core';
import { OfflineBar } from '../components/offline-bar.tsx';
import { Waiting } from '../components/waiting.tsx';

/** Before it is known who has signed in: a server that is away does not tell, and that is told. */
export function Opening() {
  return (
    <>
      <OfflineBar />
      <Container size="lg" component="main">
        <VisuallyHidden component="h1">Simcha</VisuallyHidden>
        <Waiting />
      </Container>
    </>
  );
}
