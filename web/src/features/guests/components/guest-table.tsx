import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Guest } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { type GuestListing, guestPageQuery, PAGE_SIZE } from '../api/guests.ts';
import { DeskSheet, type DrawnRow, PhoneSheet } from './guest-sheets.tsx';
import type { QuickChange } from './quick-change.ts';
import { useRowMeasures } from './row-measures.ts';

/** Height of a row of the guest list in rem, the same for all contents, so that the height of 10,000 rows is known. */
const DESK_REM = 3.5;
const PHONE_REM = 5.25;
const HEADER_PX = 60;
/** Rows that are rendered beyond sight, so that fast scrolling shows no gaps; none until the visible rows are drawn. */
const BEYOND_SIGHT = 10;
/** Delay before the rows beyond sight are rendered, in milliseconds. */
const BEYOND_SIGHT_MS = 300;
/** Placeholder rows, shown until the number of guests is known. */
const COMING = [0, 1, 2, 3, 4, 5];

interface GuestTableProps {
  eventId: string;
  listing: GuestListing;
  isDesk: boolean;
  chosen: ReadonlySet<string>;
  onChoose(id: string, isChosen: boolean): void;
  onChooseAll(isChosen: boolean): void;
  change: QuickChange | undefined;
}

/** Guest list that renders only its visible rows: a table on wide screens, cards of two lines on phones. */
export function GuestTable(props: GuestTableProps) {
  const { eventId, listing, isDesk, chosen, onChoose, onChooseAll, change } = props;
  const first = useQuery({ ...guestPageQuery(eventId, listing, 0), placeholderData: keepPreviousData });
  const total = first.data?.total ?? 0;
  const place = useRef<HTMLElement>(null);
  const isDrawn = useDrawn(first.data !== undefined);
  const { height, margin } = useRowMeasures(place, isDesk ? DESK_REM : PHONE_REM);
  const virtualizer = useWindowVirtualizer({
    count: total,
    estimateSize: () => height,
    overscan: isDrawn ? BEYOND_SIGHT : 0,
    scrollMargin: margin,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row height needs a new layout
  useEffect(() => virtualizer.measure(), [height, virtualizer]);

  const items = virtualizer.getVirtualItems();
  const visiblePages = [...new Set(items.map(({ index }) => Math.floor(index / PAGE_SIZE)))].filter(
    (page) => page > 0,
  );
  const others = useQueries({ queries: visiblePages.map((page) => guestPageQuery(eventId, listing, page)) });
  const pages = new Map(visiblePages.map((page, at) => [page, others[at]?.data] as const)).set(0, first.data);
  const guestAt = (index: number): Guest | undefined =>
    pages.get(Math.floor(index / PAGE_SIZE))?.guests[index % PAGE_SIZE];
  useSteadyScroll({ listing, pages, height, margin, guestAt });

  const error = first.error ?? others.find(({ error }) => error)?.error;
  const onRetry = () => {
    for (const { error, refetch } of [first, ...others]) if (error) refetch().catch(() => {});
  };
  // The pages of the guest list are loaded at different times, so a guest may be on two pages. The second row is not
  // shown.
  const drawn = new Set<string>();
  const rows = items.map(({ index, start }): DrawnRow => {
    const guest = guestAt(index);
    const isNew = guest !== undefined && !drawn.has(guest.id);
    if (isNew) drawn.add(guest.id);
    return { key: isNew ? guest.id : String(index), index, start: start - margin, guest };
  });
  const isWaiting = first.isPending;
  const sheet = {
    place,
    rows: isWaiting ? COMING.map((index) => ({ key: `${index}`, index, start: index * height })) : rows,
    height: isWaiting ? COMING.length * height : virtualizer.getTotalSize(),
    rowHeight: height,
    total,
    isBusy: isWaiting || first.isPlaceholderData,
    chosen,
    onChoose,
    change,
  };
  return (
    <>
      {error && <ProblemNote error={error} onRetry={onRetry} />}
      {isDesk ? <DeskSheet {...sheet} onChooseAll={onChooseAll} /> : <PhoneSheet {...sheet} />}
    </>
  );
}

/** True some time after the first rows were drawn. */
function useDrawn(hasRows: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!hasRows) return;
    const wait = setTimeout(() => setDrawn(true), BEYOND_SIGHT_MS);
    return () => clearTimeout(wait);
  }, [hasRows]);
  return isDrawn;
}

interface Steady {
  listing: GuestListing;
  pages: ReadonlyMap<number, { guests: readonly Guest[] } | undefined>;
  height: number;
  margin: number;
  guestAt(index: number): Guest | undefined;
}

/** Keeps the top guest of the list in place when others are added or removed above; a new search starts at the top. */
function useSteadyScroll({ listing, pages, height, margin, guestAt }: Steady): void {
  const name = JSON.stringify(listing);
  const top = useRef<{ name: string; id: string; index: number }>(undefined);
  useLayoutEffect(() => {
    const above = margin - HEADER_PX;
    const before = top.current;
    if (before && before.name !== name) {
      if (window.scrollY > above) window.scrollTo(0, above);
    } else if (before) {
      const index = placeOf(before.id);
      if (index !== undefined && index !== before.index) window.scrollBy(0, (index - before.index) * height);
    }
    const index = Math.floor((window.scrollY - above) / height);
    const guest = index >= 0 ? guestAt(index) : undefined;
    top.current = guest ? { name, id: guest.id, index } : { name, id: '', index: 0 };
  });

  function placeOf(id: string): number | undefined {
    for (const [page, read] of pages) {
      const at = read?.guests.findIndex((guest) => guest.id === id) ?? -1;
      if (at >= 0) return page * PAGE_SIZE + at;
    }
    return undefined;
  }
}
