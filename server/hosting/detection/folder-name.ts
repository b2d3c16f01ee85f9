import { isSingleLine } from '../../kernel/one-line.ts';

const LONGEST = 500;

/** A folder inside another one, without `./` and slashes around it, `''` for that one itself; undefined for what is none. */
export function folderName(text: string): string | undefined {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  const hostile = parts.some((part) => part === '..' || part === '.git' || part.startsWith('-'));
  if (text.length > LONGEST || text.startsWith('/') || text.includes('\\') || text.includes('*'))
    return undefined;
  return hostile || !isSingleLine(text) ? undefined : parts.join('/');
}
