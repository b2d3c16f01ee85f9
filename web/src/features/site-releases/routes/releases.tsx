import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';

/** Releases of a site. */
export function Releases() {
  const sayName = useWords(sectionWords);
  return <PageHead order={2} title={sayName('releases')} />;
}
