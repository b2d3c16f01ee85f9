import { Link } from '@tanstack/react-router';
import { Activity, House, type LucideIcon, Rocket, Settings, SlidersHorizontal } from 'lucide-react';
import { SectionLinks } from '../../../components/section-links.tsx';
import { Tab, TabBar } from '../../../components/tab-bar.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../api/section-words.ts';
import { GROUPS, type Group } from '../api/sections.ts';
import { words } from '../words.ts';

const ICONS: Record<Group['name'], LucideIcon> = {
  overview: House,
  deployments: Rocket,
  monitoring: Activity,
  configuration: SlidersHorizontal,
  settings: Settings,
};

interface SiteSectionsProps {
  name: string;
  /** Group of the site's sections to which the open page belongs. */
  openGroup: Group;
}

/** Navigation to the sections of a site: their groups, and the sections of the open group if it has several. */
export function SiteSections({ name, openGroup }: SiteSectionsProps) {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  return (
    <>
      <TabBar label={say('sections')}>
        {GROUPS.map(({ name: group, sections: [first] }) => (
          <Tab
            key={group}
            to={first.to}
            params={{ name }}
            icon={ICONS[group]}
            isOpen={group === openGroup.name}
          >
            {sayName(group)}
          </Tab>
        ))}
      </TabBar>
      {openGroup.sections.length > 1 && (
        <SectionLinks label={sayName(openGroup.name)}>
          {openGroup.sections.map(({ to, name: section, exact }) => (
            <Link key={to} to={to} params={{ name }} activeOptions={{ exact }}>
              {sayName(section)}
            </Link>
          ))}
        </SectionLinks>
      )}
    </>
  );
}
