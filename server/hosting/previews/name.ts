import { PRODUCTION } from '../model/environments.ts';

const LONGEST_NAME = 40;
const LONGEST_LABEL = 63;

/** Name of a preview: its branch, reduced to characters allowed in host names. `ending` makes it unique. */
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

/**
 * Subdomain `<application>-<preview>` as one label of a host name; if it is too long, the application's part is
 * shortened.
 */
export function previewSubdomain(application: string, name: string): string {
  return `${trimmed(application.slice(0, LONGEST_LABEL - 1 - name.length))}-${name}`;
}

function trimmed(label: string): string {
  return label.replace(/-+$/, '');
}
