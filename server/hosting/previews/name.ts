import { PRODUCTION } from '../model/environments.ts';

const LONGEST_NAME = 40;
const LONGEST_LABEL = 63;

/** What a preview is called: its branch, as far as a host name has letters for it. `ending` tells it from another's. */
export function previewName(branch: string, ending?: string): string {
  const plain = trimmed(
    branch
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{Mn}/gu, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, LONGEST_NAME),
  );
  const name = plain === '' || plain === PRODUCTION ? `branch${plain && `-${plain}`}` : plain;
  return ending === undefined ? name : `${name}-${ending}`;
}

/** `<application>-<preview>`, as one label of a host name: what is too long loses the end of the application's. */
export function previewSubdomain(application: string, name: string): string {
  return `${trimmed(application.slice(0, LONGEST_LABEL - 1 - name.length))}-${name}`;
}

function trimmed(label: string): string {
  return label.replace(/-+$/, '');
}
