import { isMantineColorScheme, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';

const STORAGE_KEY = 'simcha.scheme';

/**
 * Stores the color scheme (light or dark) that the user chose in this browser; the default is the device's. `early.js`
 * reads the same key.
 */
export function storedColorScheme(): MantineColorSchemeManager {
  const read = (fallback: MantineColorScheme): MantineColorScheme => {
    try {
      const stored = localStorage.getItem(STORAGE_KEY);
      return isMantineColorScheme(stored) ? stored : fallback;
    } catch {
      return fallback;
    }
  };
  let onStorage: ((event: StorageEvent) => void) | undefined;
  return {
    get: read,
    set(scheme) {
      try {
        localStorage.setItem(STORAGE_KEY, scheme);
      } catch {
        // If the browser blocks the page's storage, the color scheme is not remembered: the next visit follows the
        // device.
      }
    },
    subscribe(onUpdate) {
      onStorage = ({ key }) => key === STORAGE_KEY && onUpdate(read('auto'));
      addEventListener('storage', onStorage);
    },
    unsubscribe() {
      if (onStorage) removeEventListener('storage', onStorage);
    },
    clear() {
      try {
        localStorage.removeItem(STORAGE_KEY);
      } catch {
        // If the browser blocks the page's storage, no color scheme is stored that could be cleared.
      }
    },
  };
}
