import { isMantineColorScheme, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';

const KEPT_AS = 'simcha.scheme';

/** Stores light or dark as chosen in this browser; the default is the device's. `early.js` reads the same key. */
export function keptScheme(): MantineColorSchemeManager {
  const read = (fallback: MantineColorScheme): MantineColorScheme => {
    try {
      const kept = localStorage.getItem(KEPT_AS);
      return isMantineColorScheme(kept) ? kept : fallback;
    } catch {
      return fallback;
    }
  };
  let heard: ((event: StorageEvent) => void) | undefined;
  return {
    get: read,
    set(scheme) {
      try {
        localStorage.setItem(KEPT_AS, scheme);
      } catch {
        // A browser without storage follows the device.
      }
    },
    subscribe(onUpdate) {
      heard = ({ key }) => key === KEPT_AS && onUpdate(read('auto'));
      addEventListener('storage', heard);
    },
    unsubscribe() {
      if (heard) removeEventListener('storage', heard);
    },
    clear() {
      try {
        localStorage.removeItem(KEPT_AS);
      } catch {
        // A browser without storage has nothing to clear.
      }
    },
  };
}
