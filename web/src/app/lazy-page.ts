import { lazyRouteComponent } from '@tanstack/react-router';
import { markUnreachable } from '../lib/problems.ts';

/**
 * Component of a page whose code is loaded with its first visit. If the code can't be loaded, the page says so in its
 * place. The router itself would reload the document, which without a network ends at an error page of the browser.
 */
export function lazyPage<T extends Record<string, unknown>, Name extends keyof T & string>(
  load: () => Promise<T>,
  name: Name,
) {
  return lazyRouteComponent<T, Name>(async () => {
    try {
      return await load();
    } catch (cause) {
      const error = new Error('The code of a page could not be loaded.', { cause });
      markUnreachable(error);
      throw error;
    }
  }, name);
}
