import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { words } from './words.ts';

interface SideSheetProps {
  title: ReactNode;
  opened: boolean;
  onClose(): void;
  children: ReactNode;
}

/** Side sheet with the details of one item of a list; on a phone it covers the list. */
export function SideSheet({ title, opened, onClose, children }: SideSheetProps) {
  const say = useWords(words);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size="min(100%, 580px)"
      closeButtonProps={{ 'aria-label': say('close'), size: 44 }}
      // Role `none`: the side sheet's header is not the banner of the page.
      attributes={{ header: { role: 'none' } }}
      styles={{
        header: { zIndex: 3 },
        title: { minWidth: 0, fontWeight: 600, fontSize: 'var(--mantine-h4-font-size)' },
        body: { paddingBottom: 64 },
      }}
    >
      <OfflineBar />
      {children}
    </Drawer>
  );
}
