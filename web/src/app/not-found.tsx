import { NothingHere } from '../components/nothing-here.tsx';

export function NotFound() {
  return <NothingHere />;
}
