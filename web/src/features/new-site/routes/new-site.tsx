import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** Page on which a user creates a site. */
export function NewSite() {
  const say = useWords(words);
  return <PageHead title={say('title')} />;
}
