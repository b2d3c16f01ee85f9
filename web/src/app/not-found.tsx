import { NotFoundMessage } from '../components/not-found-message.tsx';

export function NotFound() {
  return <NotFoundMessage />;
}
