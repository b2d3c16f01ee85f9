import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { BackLink } from '../../../components/back-link.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useDeployPreview } from '../../site-previews/api/previews.ts';
import { words as sectionWords } from '../../sites/api/section-words.ts';
import { useSite } from '../../sites/api/sites.ts';
import {
  previewVariablesQuery,
  shownInPreview,
  useChangePreviewVariables,
} from '../api/preview-variables.ts';
import { VariableEditor } from '../components/variable-editor.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/sites/$name/previews/$preview/variables');

/** Page with the variables that one preview gets, from where, and those that it sets itself. */
export function PreviewVariables() {
  const { preview } = route.useParams();
  const { name } = useSite();
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const notify = useNotify();
  const { data, error, refetch } = useQuery(previewVariablesQuery(name, preview));
  const { mutateAsync: save, isSuccess: hasChanged } = useChangePreviewVariables(name, preview);
  const again = useDeployPreview(name);
  return (
    <Stack gap="lg">
      <BackLink to="/sites/$name/previews" params={{ name }}>
        {sayName('previews')}
      </BackLink>
      <VariableEditor
        title={say('titleOfPreview', { preview })}
        about={say('aboutPreview')}
        fileName={`${name}-${preview}`}
        variables={data?.variables.flatMap(shownInPreview)}
        haveOnlyValues
        error={error}
        onRetry={() => refetch()}
        save={save}
      />
      {data && (
        <Group justify="space-between" gap="sm">
          <Text c="dimmed">{say('previewTakesEffect')}</Text>
          <Button
            variant={hasChanged ? 'filled' : 'default'}
            leftSection={<Rocket size={18} aria-hidden />}
            loading={again.isPending}
            onClick={() => again.mutate(preview, { onSuccess: () => notify(say('previewDeploying')) })}
          >
            {say('deployPreview')}
          </Button>
        </Group>
      )}
      <ProblemNote error={again.error} />
    </Stack>
  );
}
