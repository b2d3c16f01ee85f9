/**
 * Sections of an event in their groups, in the order of the navigation: a group leads to its first section. The names
 * are in section-words.ts.
 */
export const GROUPS = [
  {
    name: 'planning',
    sections: [
      { to: '/events/$eventId', name: 'overview', exact: true },
      { to: '/events/$eventId/vendors', name: 'vendors', exact: false },
      { to: '/events/$eventId/checklist', name: 'checklist', exact: false },
    ],
  },
  {
    name: 'guests',
    sections: [
      { to: '/events/$eventId/guests', name: 'guestList', exact: false },
      { to: '/events/$eventId/waiting', name: 'waitingAndRequests', exact: false },
      { to: '/events/$eventId/questions', name: 'questionsAndMeals', exact: false },
    ],
  },
  {
    name: 'messages',
    sections: [{ to: '/events/$eventId/messages', name: 'messages', exact: false }],
  },
  {
    name: 'invitation',
    sections: [{ to: '/events/$eventId/invitation', name: 'invitation', exact: false }],
  },
  {
    name: 'settings',
    sections: [
      { to: '/events/$eventId/details', name: 'details', exact: false },
      { to: '/events/$eventId/sharing', name: 'sharing', exact: false },
      { to: '/events/$eventId/history', name: 'history', exact: false },
    ],
  },
] as const;

export type Group = (typeof GROUPS)[number];
export type Section = Group['sections'][number];

export const SECTIONS: readonly Section[] = GROUPS.flatMap(({ sections }): readonly Section[] => sections);

export interface VisibleGroup {
  name: Group['name'];
  sections: readonly Section[];
}

/** Sections that co-organizers without contacts do not see: messages to guests, and money. */
const CONTACT_SECTIONS: ReadonlySet<Section['name']> = new Set(['messages', 'history', 'vendors']);

/** Groups of sections for a user, in the order of the navigation. */
export function groupsFor({ seesContacts }: { seesContacts: boolean }): VisibleGroup[] {
  return GROUPS.map(({ name, sections }) => ({
    name,
    sections: sections.filter((section) => seesContacts || !CONTACT_SECTIONS.has(section.name)),
  })).filter(({ sections }) => sections.length > 0);
}

/** Section whose page is open, and its group. */
export function openSectionOf(pathname: string, eventId: string): { group: Group; section: Section } {
  for (const group of GROUPS)
    for (const section of group.sections)
      if (!section.exact && pathname.startsWith(section.to.replace('$eventId', eventId)))
        return { group, section };
  return { group: GROUPS[0], section: GROUPS[0].sections[0] };
}
