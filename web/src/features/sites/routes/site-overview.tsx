import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../api/section-words.ts';

/** Overview page of a site. */
export function SiteOverview() {
  const sayName = useWords(sectionWords);
  return <PageHead order={2} title={sayName('overview')} />;
}
