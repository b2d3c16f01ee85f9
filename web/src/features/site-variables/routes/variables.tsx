import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';

/** Environment variables of a site. */
export function Variables() {
  const sayName = useWords(sectionWords);
  return <PageHead order={2} title={sayName('variables')} />;
}
