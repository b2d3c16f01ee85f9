import { Link } from '@tanstack/react-router';
import { ClipboardList, type LucideIcon, MailOpen, MessageCircle, Settings, UsersRound } from 'lucide-react';
import { SectionLinks } from '../../../components/section-links.tsx';
import { Tab, TabBar } from '../../../components/tab-bar.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useSeesContacts } from '../../events/api/access.ts';
import { words as sectionWords } from '../../events/api/section-words.ts';
import { type Group, groupsFor } from '../../events/api/sections.ts';
import { words } from '../words.ts';
import { WaitingBadge } from './waiting-badge.tsx';

const ICONS: Record<Group['name'], LucideIcon> = {
  planning: ClipboardList,
  guests: UsersRound,
  messages: MessageCircle,
  invitation: MailOpen,
  settings: Settings,
};

interface EventSectionsProps {
  eventId: string;
  /** Group of the event's sections to which the open page belongs. */
  openGroup: Group;
}

/** Navigation to the sections of an event: their groups, and the sections of the open group if it has several. */
export function EventSections({ eventId, openGroup }: EventSectionsProps) {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const groups = groupsFor({ seesContacts: useSeesContacts(eventId) });
  const sections = groups.find(({ name }) => name === openGroup.name)?.sections ?? [];
  return (
    <>
      <TabBar label={say('sections')}>
        {groups.map(({ name, sections: [first] }) => (
          <Tab
            key={name}
            to={first?.to ?? '/events/$eventId'}
            params={{ eventId }}
            icon={ICONS[name]}
            isOpen={name === openGroup.name}
            badge={name === 'guests' && name !== openGroup.name && <WaitingBadge eventId={eventId} />}
          >
            {sayName(name)}
          </Tab>
        ))}
      </TabBar>
      {sections.length > 1 && (
        <SectionLinks label={sayName(openGroup.name)}>
          {sections.map(({ to, name }) => (
            <Link key={to} to={to} params={{ eventId }} activeOptions={{ exact: name === 'overview' }}>
              {sayName(name)}
              {name === 'waitingAndRequests' && <WaitingBadge eventId={eventId} />}
            </Link>
          ))}
        </SectionLinks>
      )}
    </>
  );
}
