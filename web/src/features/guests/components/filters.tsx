import {
  ActionIcon,
  Button,
  Checkbox,
  Drawer,
  Group,
  Popover,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import type { GuestCounts } from 'simcha-client';
import { SearchInput } from '../../../components/search-input.tsx';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { matchesSearch } from '../../../lib/text-search.ts';
import { useSeesContacts } from '../../events/api/access.ts';
import { countsQuery } from '../../events/api/events.ts';
import { tagsQuery, totalQuery } from '../api/guests.ts';
import {
  ANSWER_FILTERS,
  type AnswerFilter,
  DIETS,
  type DietFilter,
  filterOf,
  GUEST_ORDERS,
  type GuestOrder,
  type GuestSearch,
} from '../api/search.ts';
import { words } from '../words.ts';
import { activeFilters, toggled } from './active-filters.ts';
import { Chip } from './chip.tsx';
import classes from './list.module.css';

interface FilterProps {
  eventId: string;
  search: GuestSearch;
  onSearchChange(search: Partial<GuestSearch>): void;
}

export function SearchField({ eventId, search: { q }, onSearchChange }: FilterProps) {
  const say = useWords(words);
  const seesContacts = useSeesContacts(eventId);
  return (
    <SearchInput
      q={q}
      label={say('search')}
      placeholder={say(seesContacts ? 'searchHint' : 'searchHintName')}
      onSearchChange={(found) => onSearchChange({ q: found })}
    />
  );
}

const COLORS: Readonly<Record<AnswerFilter, string>> = {
  confirmed: 'var(--simcha-yes)',
  pending: 'var(--mantine-color-default-border)',
  declined: 'var(--simcha-no)',
  maybe: 'var(--simcha-maybe)',
  waiting: 'var(--simcha-waiting)',
};

const countOf = (counts: GuestCounts, answer: AnswerFilter): number =>
  ({
    confirmed: counts.rsvp_confirmed,
    pending: counts.rsvp_pending,
    declined: counts.rsvp_declined,
    maybe: counts.maybe,
    waiting: counts.waiting,
  })[answer];

/** Filter buttons for each reply, with the number of guests who gave it; several can be selected. */
export function AnswerChips({ eventId, search, onSearchChange }: FilterProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: counts } = useQuery(countsQuery(eventId));
  const { answer: chosen = [] } = search;
  return (
    <fieldset aria-label={say('answer')} className={classes.chips}>
      {ANSWER_FILTERS.map((answer) => (
        <Chip
          key={answer}
          isOn={chosen.includes(answer)}
          title={answer === 'pending' ? say('pendingHint') : undefined}
          onToggle={() => onSearchChange({ answer: toggled(chosen, answer) })}
        >
          <span className={classes.dot} style={{ background: COLORS[answer] }} aria-hidden />
          {say(answer)}
          {counts && <span className={classes.count}>{formatNumber(countOf(counts, answer), language)}</span>}
        </Chip>
      ))}
    </fieldset>
  );
}

/** Button that opens the other filters of the guest list: a popover on wide screens, a sheet from below on a phone. */
export function FilterButton(props: FilterProps & { isDesk: boolean; total: number | undefined }) {
  const { isDesk, search, total = 0 } = props;
  const say = useWords(words);
  const [isOpen, setOpen] = useState(false);
  const { tag = [], food = [], invited, plus_ones } = search;
  const set = tag.length + food.length + (invited === undefined ? 0 : 1) + (plus_ones ? 1 : 0);
  const button = (
    <Button
      variant="default"
      leftSection={<ListFilter size={18} aria-hidden />}
      aria-expanded={isOpen}
      aria-haspopup="dialog"
      onClick={() => setOpen(!isOpen)}
    >
      {say('filters')}
      {set > 0 && (
        <span className={classes.count} style={{ marginInlineStart: 8 }}>
          <span aria-hidden>{set}</span>
        </span>
      )}
    </Button>
  );
  const done = (
    <Button onClick={() => setOpen(false)} fullWidth>
      {say('showFound', { n: total })}
    </Button>
  );
  if (isDesk) {
    return (
      <Popover
        opened={isOpen}
        onChange={setOpen}
        trapFocus
        returnFocus
        width={420}
        position="bottom-end"
        shadow="md"
      >
        <Popover.Target>{button}</Popover.Target>
        <Popover.Dropdown p="lg" mah="70vh" style={{ overflowY: 'auto' }} aria-label={say('filters')}>
          {isOpen && <Panel {...props} />}
        </Popover.Dropdown>
      </Popover>
    );
  }
  return (
    <>
      {button}
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="bottom"
        size="85%"
        title={say('filters')}
        attributes={{ header: { role: 'none' } }}
        closeButtonProps={{ 'aria-label': say('close'), size: 44 }}
      >
        <Panel {...props} />
        <div
          style={{ position: 'sticky', bottom: 0, paddingBlock: 12, background: 'var(--mantine-color-body)' }}
        >
          {done}
        </div>
      </Drawer>
    </>
  );
}

function Panel({ eventId, search, onSearchChange }: FilterProps) {
  const say = useWords(words);
  return (
    <Stack gap="lg">
      <Select
        label={say('order')}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={GUEST_ORDERS.map((order) => ({ value: order, label: say(`order_${order}`) }))}
        value={search.order ?? 'name'}
        onChange={(order) =>
          onSearchChange({ order: order === 'name' ? undefined : (order as Exclude<GuestOrder, 'name'>) })
        }
      />
      <Invited eventId={eventId} search={search} onSearchChange={onSearchChange} />
      <div>
        <Chip
          isOn={search.plus_ones ?? false}
          onToggle={() => onSearchChange({ plus_ones: search.plus_ones ? undefined : true })}
        >
          {say('moreThanInvited')}
        </Chip>
      </div>
      <TagFilter eventId={eventId} search={search} onSearchChange={onSearchChange} />
      <Stack gap={8} role="group" aria-label={say('food')}>
        <Title order={3} size="h5">
          {say('food')}
        </Title>
        <Group gap={8}>
          {DIETS.map((diet) => (
            <Chip
              key={diet}
              isOn={search.food?.includes(diet) ?? false}
              onToggle={() => onSearchChange({ food: toggled<DietFilter>(search.food ?? [], diet) })}
            >
              {say(diet)}
            </Chip>
          ))}
        </Group>
      </Stack>
    </Stack>
  );
}

function Invited({ eventId, search, onSearchChange }: FilterProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const rest = filterOf({ ...search, invited: undefined });
  const { data: sent } = useQuery(totalQuery(eventId, { ...rest, invited: true }));
  const { data: unsent } = useQuery(totalQuery(eventId, { ...rest, invited: false }));
  const counted = (name: string, n: number | undefined) =>
    n === undefined ? name : `${name} · ${formatNumber(n, language)}`;
  return (
    <Stack gap={8}>
      <Title order={3} size="h5">
        {say('invitedTitle')}
      </Title>
      <SegmentedControl
        aria-label={say('invitedTitle')}
        fullWidth
        value={search.invited === undefined ? 'any' : search.invited ? 'yes' : 'no'}
        onChange={(value) => onSearchChange({ invited: value === 'any' ? undefined : value === 'yes' })}
        data={[
          { value: 'any', label: say('invited_any') },
          { value: 'yes', label: counted(say('invited_yes'), sent) },
          { value: 'no', label: counted(say('invited_no'), unsent) },
        ]}
      />
    </Stack>
  );
}

/** Number of tags from which on the tag filter has a search field. */
const MANY_TAGS = 12;

function TagFilter({ eventId, search: { tag: chosen = [] }, onSearchChange }: FilterProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: tags = [] } = useQuery(tagsQuery(eventId));
  const [typed, setTyped] = useState('');
  const gone = chosen.filter((one) => !tags.some(({ tag }) => tag === one));
  const shown = [
    ...gone.map((tag) => ({ tag, guests: 0 })),
    ...tags.filter(({ tag }) => chosen.includes(tag) || matchesSearch(typed, [tag])),
  ];
  return (
    <Stack gap={8} role="group" aria-label={say('tags')}>
      <Title order={3} size="h5">
        {say('tags')}
      </Title>
      {shown.length === 0 && !typed.trim() && (
        <Text size="sm" c="dimmed">
          {say('noTags')}
        </Text>
      )}
      {tags.length > MANY_TAGS && (
        <TextInput
          aria-label={say('findTag')}
          placeholder={say('findTag')}
          dir="auto"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <Stack gap={0} mah={260} style={{ overflowY: 'auto' }}>
        {shown.map(({ tag, guests }) => (
          <Checkbox
            key={tag}
            size="md"
            py={10}
            checked={chosen.includes(tag)}
            onChange={() => onSearchChange({ tag: toggled(chosen, tag) })}
            label={
              <>
                <bdi>{tag}</bdi> <span className={classes.count}>{formatNumber(guests, language)}</span>
              </>
            }
          />
        ))}
      </Stack>
    </Stack>
  );
}

/**
 * Active filters of the guest list besides the replies, each with a button to remove it: an active filter is always
 * visible.
 */
export function ActiveFilters({ search, onSearchChange }: Omit<FilterProps, 'eventId'>) {
  const say = useWords(words);
  const set = activeFilters(search, say);
  if (set.length === 0) return null;
  return (
    <Group gap={8}>
      {set.map(({ name, off }) => (
        <span key={name} className={classes.chip} style={{ paddingInlineEnd: 0 }}>
          <bdi>{name}</bdi>
          <ActionIcon
            aria-label={say('takeAway', { what: name })}
            radius="xl"
            onClick={() => onSearchChange(off)}
          >
            <X size={16} aria-hidden />
          </ActionIcon>
        </span>
      ))}
    </Group>
  );
}
