import { Container, SegmentedControl, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { FolderForm } from '../components/folder-form.tsx';
import { ImageForm } from '../components/image-form.tsx';
import { RepositoryForm } from '../components/repository-form.tsx';
import { Review } from '../components/review.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/sites/new');

type Source = 'repository' | 'folder' | 'image';

const FORMS = { repository: RepositoryForm, folder: FolderForm, image: ImageForm } as const satisfies Record<
  Source,
  unknown
>;

/** Page on which a user creates a site: first its source, then what was recognised, then its deployment. */
export function NewSite() {
  const say = useWords(words);
  const { site } = route.useSearch();
  const [source, setSource] = useState<Source>('repository');
  const Form = FORMS[source];
  return (
    <Container size="md" p={0}>
      <Stack gap="lg">
        <PageHead title={say('title')} {...(!site && { about: say('about') })} />
        {site ? (
          <Review key={site} name={site} />
        ) : (
          <Card>
            <Stack gap="lg">
              <SegmentedControl
                aria-label={say('from')}
                value={source}
                onChange={(value) => setSource(value as Source)}
                data={[
                  { value: 'repository', label: say('repository') },
                  { value: 'folder', label: say('folder') },
                  { value: 'image', label: say('image') },
                ]}
                style={{ alignSelf: 'flex-start' }}
              />
              <Form />
            </Stack>
          </Card>
        )}
      </Stack>
    </Container>
  );
}
