import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Contact, Plus } from 'lucide-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { CardGrid } from '../../../components/link-card.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SearchInput } from '../../../components/search-input.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { matchesSearch } from '../../../lib/text-search.ts';
import { isVendorKind, VENDOR_KINDS, type VendorSearch } from '../api/search.ts';
import { vendorsQuery } from '../api/vendors.ts';
import { VendorCard } from '../components/vendor-card.tsx';
import { NewVendor, VendorDetails } from '../components/vendor-details.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/vendors');
/** Number of vendors from which on the list of vendors has a search field. */
const MANY = 6;

/** Page with the vendors of the user, for all events. */
export function Vendors() {
  const say = useWords(words);
  const { q = '', kind, vendor: open } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: vendors, error, refetch } = useQuery(vendorsQuery);
  const changeSearch = (search: VendorSearch) =>
    navigate({
      search: { ...(q && { q }), ...(kind && { kind }), ...search },
      replace: true,
      resetScroll: false,
    }).catch(() => {});
  const close = () => changeSearch({});
  if (error && !vendors) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!vendors) return <LoadingSkeleton />;

  const found = vendors.filter(
    ({ name, contact_name: contact, phone, email, note, kind: own }) =>
      (!kind || own === kind) && matchesSearch(q, [name, contact, email, note], phone),
  );
  const openName = vendors.find(({ id }) => id === open)?.name;
  return (
    <Stack gap="lg">
      <PageHead title={say('vendors')} about={say('vendorsAbout')}>
        {vendors.length > 0 && (
          <Button
            leftSection={<Plus size={20} aria-hidden />}
            onClick={() => changeSearch({ vendor: 'new' })}
          >
            {say('newVendor')}
          </Button>
        )}
      </PageHead>
      {vendors.length === 0 && <NoVendors onAdd={() => changeSearch({ vendor: 'new' })} />}
      {(vendors.length >= MANY || q || kind) && (
        <Group>
          <SearchInput
            label={say('search')}
            placeholder={say('searchHint')}
            q={q}
            onSearchChange={(text) => changeSearch({ q: text })}
          />
          <Select
            aria-label={say('kind')}
            clearable
            clearButtonProps={{ 'aria-label': say('showAll') }}
            placeholder={say('everyKind')}
            value={kind ?? null}
            onChange={(value) => changeSearch({ kind: isVendorKind(value) ? value : undefined })}
            data={VENDOR_KINDS.map((value) => ({ value, label: say(`kind_${value}`) }))}
            style={{ flex: '0 1 220px' }}
          />
        </Group>
      )}
      {(q || kind) && (
        <Text role="status" c="dimmed">
          {say('found', { n: found.length })}
        </Text>
      )}
      {found.length === 0 && vendors.length > 0 && (
        <Group>
          <Button variant="default" onClick={() => changeSearch({ q: undefined, kind: undefined })}>
            {say('showAll')}
          </Button>
        </Group>
      )}
      <CardGrid>
        {found.map((vendor) => (
          <li key={vendor.id}>
            <VendorCard vendor={vendor} />
          </li>
        ))}
      </CardGrid>
      <SideSheet
        opened={open !== undefined}
        onClose={close}
        title={open === 'new' ? say('newVendor') : <bdi>{openName}</bdi>}
      >
        {open === 'new' ? (
          <NewVendor onDone={close} />
        ) : (
          open && <VendorDetails key={open} vendorId={open} onDone={close} />
        )}
      </SideSheet>
    </Stack>
  );
}

function NoVendors({ onAdd }: { onAdd(): void }) {
  const say = useWords(words);
  return (
    <EmptyState order={2} icon={Contact} title={say('vendorsEmptyTitle')} about={say('vendorsEmpty')}>
      <Button size="lg" onClick={onAdd}>
        {say('newVendor')}
      </Button>
    </EmptyState>
  );
}
