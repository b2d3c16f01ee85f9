import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Failure } from '../components/failure.tsx';
import { useReconnect } from './reconnect.ts';

/** Page that failed to load. If the server could not be reached, the page is loaded again once it answers. */
export function FailedPage(failed: ErrorComponentProps) {
  const router = useRouter();
  useReconnect(() => {
    failed.reset();
    router.invalidate().catch(() => {});
  });
  return <Failure {...failed} />;
}
