import { isSingleLine } from '../../kernel/one-line.ts';

const LONGEST = 500;

/**
 * Normalised path of a folder inside another one, without `./` and surrounding slashes; `''` for the outer folder
 * itself. Undefined for invalid paths.
 */
export function folderName(text: string): string | undefined {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  const hostile = parts.some((part) => part === '..' || part === '.git' || part.startsWith('-'));
  if (text.length > LONGEST || text.startsWith('/') || text.includes('\\') || text.includes('*'))
    return undefined;
  return hostile || !isSingleLine(text) ? undefined : parts.join('/');
}
