import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PageHeadProps {
  title: string;
  about?: ReactNode;
  /**
   * Level of the page's heading: 1 on a page of its own, whose heading becomes the document's title; 2 on a page of an
   * event, below the event's name.
   */
  order?: 1 | 2;
  /** Buttons or filters of the page; below its title if there is no room beside the title. */
  children?: ReactNode;
}

/** Head of a page: title, explanation, and the most important buttons. */
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
