/**
 * Sections of a site in their groups, in the order of the navigation: a group leads to its first section. The names
 * are in section-words.ts.
 */
export const GROUPS = [
  {
    name: 'overview',
    sections: [{ to: '/sites/$name', name: 'overview', exact: true }],
  },
  {
    name: 'deployments',
    sections: [
      { to: '/sites/$name/deployments', name: 'deployments', exact: false },
      { to: '/sites/$name/releases', name: 'releases', exact: false },
      { to: '/sites/$name/previews', name: 'previews', exact: false },
    ],
  },
  {
    name: 'monitoring',
    sections: [
      { to: '/sites/$name/logs', name: 'logs', exact: false },
      { to: '/sites/$name/figures', name: 'figures', exact: false },
    ],
  },
  {
    name: 'configuration',
    sections: [
      { to: '/sites/$name/variables', name: 'variables', exact: false },
      { to: '/sites/$name/domains', name: 'domains', exact: false },
      { to: '/sites/$name/processes', name: 'processes', exact: false },
      { to: '/sites/$name/volumes', name: 'volumes', exact: false },
    ],
  },
  {
    name: 'settings',
    sections: [
      { to: '/sites/$name/settings', name: 'settings', exact: false },
      { to: '/sites/$name/git', name: 'gitAndCi', exact: false },
      { to: '/sites/$name/rules', name: 'rules', exact: false },
      { to: '/sites/$name/people', name: 'people', exact: false },
      { to: '/sites/$name/history', name: 'history', exact: false },
    ],
  },
] as const;

export type Group = (typeof GROUPS)[number];
export type Section = Group['sections'][number];

export const SECTIONS: readonly Section[] = GROUPS.flatMap(({ sections }): readonly Section[] => sections);

/** Section whose page is open, and its group. `place` is the path behind the site's own, such as `/logs`. */
export function openSectionOf(place: string): { group: Group; section: Section } {
  for (const group of GROUPS)
    for (const section of group.sections)
      if (!section.exact && place.startsWith(section.to.replace('/sites/$name', '')))
        return { group, section };
  return { group: GROUPS[0], section: GROUPS[0].sections[0] };
}
