import { Container, VisuallyHidden } from '@mantine/core';
import { OfflineBar } from '../components/offline-bar.tsx';
import { Waiting } from '../components/waiting.tsx';

/**
 * Before it is known who has signed in: where the page's sheets will be, below where its head will be. A server that is away does
 * not tell who it is, and that is told.
 */
export function Opening() {
  return (
    <>
      <OfflineBar />
      <Container size="lg" pt={60} component="main">
        <VisuallyHidden component="h1">Simcha</VisuallyHidden>
        <Waiting />
      </Container>
    </>
  );
}
