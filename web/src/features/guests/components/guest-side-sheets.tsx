import type { Guest } from 'simcha-client';
import type { GuestSearch } from '../api/search.ts';
import { GuestDrawer } from './guest-drawer.tsx';
import { NewGuest } from './new-guest.tsx';

interface GuestSideSheetsProps {
  eventId: string;
  search: GuestSearch;
  mayChange: boolean;
  onClose(): void;
  onRemove(guest: Guest): void;
}

/** Side sheets over the guest list: a guest's details, and a new guest. */
export function GuestSideSheets({ eventId, search, mayChange, onClose, onRemove }: GuestSideSheetsProps) {
  return (
    <>
      <GuestDrawer
        mayChange={mayChange}
        eventId={eventId}
        id={search.guest}
        onClose={onClose}
        onRemove={(guest) => {
          onClose();
          onRemove(guest);
        }}
      />
      {mayChange && <NewGuest eventId={eventId} isOpen={search.add ?? false} onClose={onClose} />}
    </>
  );
}
