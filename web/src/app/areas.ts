import { Contact, Globe, type LucideIcon, PartyPopper, Plus, Sun } from 'lucide-react';
import { readStored, writeStored } from '../lib/stored-value.ts';

interface AreaPage {
  to: '/today' | '/events' | '/vendors' | '/sites' | '/sites/new';
  name: 'today' | 'events' | 'vendors' | 'mySites' | 'newSite';
  icon: LucideIcon;
}

/** The two halves of the console, and the pages that its header or its bottom bar leads to. */
export const AREAS = {
  planning: {
    home: '/today',
    icon: PartyPopper,
    pages: [
      { to: '/today', name: 'today', icon: Sun },
      { to: '/events', name: 'events', icon: PartyPopper },
      { to: '/vendors', name: 'vendors', icon: Contact },
    ],
  },
  sites: {
    home: '/sites',
    icon: Globe,
    pages: [
      { to: '/sites', name: 'mySites', icon: Globe },
      { to: '/sites/new', name: 'newSite', icon: Plus },
    ],
  },
} as const satisfies Record<string, { home: string; icon: LucideIcon; pages: readonly AreaPage[] }>;

export type Area = keyof typeof AREAS;

export const AREA_NAMES = Object.keys(AREAS) as Area[];

/** Area to which a path belongs; undefined for pages of both areas, such as the settings. */
export function areaOf(pathname: string): Area | undefined {
  const isWithin = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  return AREA_NAMES.find((area) => AREAS[area].pages.some(({ to }) => isWithin(to)));
}

const STORAGE_KEY = 'simcha.area';
const placeIn = (area: Area) => `place.${area}`;

/** Area in which the user last was in this browser. */
export function lastArea(): Area {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return AREA_NAMES.find((area) => area === stored) ?? 'planning';
  } catch {
    return 'planning';
  }
}

/** Page of an area that was last open in this tab, or the area's home page. */
export function lastPlaceIn(area: Area): string {
  const stored = readStored<string>(placeIn(area));
  return stored !== undefined && areaOf(stored) === area ? stored : AREAS[area].home;
}

export function storePlace(pathname: string): void {
  const area = areaOf(pathname);
  if (!area) return;
  writeStored(placeIn(area), pathname);
  try {
    localStorage.setItem(STORAGE_KEY, area);
  } catch {
    // If the browser blocks the page's storage, the next visit begins with planning.
  }
}
