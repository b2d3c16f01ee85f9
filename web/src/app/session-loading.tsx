import { Container, VisuallyHidden } from '@mantine/core';
import { LoadingSkeleton } from '../components/loading-skeleton.tsx';
import { OfflineBar } from '../components/offline-bar.tsx';

/**
 * Loading screen until the session is known, with placeholders for the page's cards. It also says if the server can't
 * be reached.
 */
export function SessionLoading() {
  return (
    <>
      <OfflineBar />
      <Container size="lg" pt={60} component="main">
        <VisuallyHidden component="h1">Simcha</VisuallyHidden>
        <LoadingSkeleton />
      </Container>
    </>
  );
}
