import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';

/** Logs of a running site. */
export function SiteLogs() {
  const sayName = useWords(sectionWords);
  return <PageHead order={2} title={sayName('logs')} />;
}
