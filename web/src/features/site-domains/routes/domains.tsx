import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';

/** Domains of a site. */
export function Domains() {
  const sayName = useWords(sectionWords);
  return <PageHead order={2} title={sayName('domains')} />;
}
