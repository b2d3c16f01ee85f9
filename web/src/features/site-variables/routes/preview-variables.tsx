import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { BackLink } from '../../../components/back-link.tsx';
import { PendingChanges } from '../../../components/pending-changes.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { previewsQuery } from '../../site-previews/api/previews.ts';
import { processesQuery } from '../../site-processes/api/processes.ts';
import { hasPendingChanges, useApplyChanges } from '../../sites/api/pending-changes.ts';
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
  const { data, error, refetch } = useQuery(previewVariablesQuery(name, preview));
  const { mutateAsync: save } = useChangePreviewVariables(name, preview);
  const { data: previews } = useQuery(previewsQuery(name));
  const { data: running } = useQuery(processesQuery(name, preview));
  const apply = useApplyChanges(name, preview);
  const changed = previews?.find((one) => one.name === preview);
  const hasProcesses = (running?.processes.length ?? 0) > 0;
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
      >
        {changed && hasPendingChanges(changed) && (
          <PendingChanges
            about={say('pending')}
            {...apply}
            restart={hasProcesses ? apply.restart : undefined}
          />
        )}
      </VariableEditor>
    </Stack>
  );
}
