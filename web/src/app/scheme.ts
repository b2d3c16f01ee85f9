import { isMantineColorScheme, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';

const KEPT_AS = 'simcha.scheme';

/** Light or dark as chosen in this browser, else as the device has it; `early.js` reads the same. */
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
        // A browser that keeps nothing goes by the device.
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
        // As above.
      }
    },
  };
}
