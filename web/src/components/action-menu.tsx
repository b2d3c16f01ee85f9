import { ActionIcon, Menu } from '@mantine/core';
import { EllipsisVertical } from 'lucide-react';
import type { ReactNode } from 'react';

interface ActionMenuProps {
  /** Name of the menu's button, which shows only an icon. */
  label: string;
  /** Items of the menu. */
  children: ReactNode;
}

/** Menu with the rarer actions of a card. */
export function ActionMenu({ label, children }: ActionMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={label} color="gray" c="inherit" style={{ flex: 'none' }}>
          <EllipsisVertical size={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
