import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PageHeadProps {
  title: string;
  about?: ReactNode;
  /** 1 on a page of its own, whose name the browser shows too; 2 in an event, below the event's own. */
  order?: 1 | 2;
  /** What can be done or chosen here; where there is no room beside the title, it stands below. */
  children?: ReactNode;
}

/** What a page is called, what it is for, and the first thing to do there. */
export function PageHead({ title, about, order = 1, children }: PageHeadProps) {
  return (
    <Group justify="space-between" align={about ? 'flex-start' : 'center'} gap="sm">
      {order === 1 && <title>{`${title} · Simcha`}</title>}
      <div style={{ flex: about ? '1 1 150px' : '1 1 auto', minWidth: 0 }}>
        <Title order={order} size={order === 1 ? 'h2' : 'h3'}>
          {title}
        </Title>
        {about && <Text c="dimmed">{about}</Text>}
      </div>
      {children}
    </Group>
  );
}
