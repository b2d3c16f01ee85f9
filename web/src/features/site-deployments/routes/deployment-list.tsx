import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';

/** List of a site's deployments, newest first. */
export function DeploymentList() {
  const sayName = useWords(sectionWords);
  return <PageHead order={2} title={sayName('deployments')} />;
}
