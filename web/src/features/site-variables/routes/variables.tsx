import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PendingChanges } from '../../../components/pending-changes.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { processesQuery } from '../../site-processes/api/processes.ts';
import { hasPendingChanges, useApplyChanges } from '../../sites/api/pending-changes.ts';
import { hasRole } from '../../sites/api/roles.ts';
import { useSite } from '../../sites/api/sites.ts';
import { shownInSite, useChangeVariables, variablesQuery } from '../api/variables.ts';
import { LinkedGroups } from '../components/linked-groups.tsx';
import { VariableEditor } from '../components/variable-editor.tsx';
import { VariableNames } from '../components/variable-names.tsx';
import { words } from '../words.ts';

/** Page with the variables of a site; without their values for people who may not see them. */
export function Variables() {
  const { site } = useSite();
  return hasRole(site, 'administer') ? <ChangeableVariables /> : <VariableNames />;
}

function ChangeableVariables() {
  const say = useWords(words);
  const { name, site } = useSite();
  const { mutateAsync: save } = useChangeVariables(name);
  const apply = useApplyChanges(name);
  const { data, error, refetch } = useQuery(variablesQuery(name));
  const { data: running } = useQuery(processesQuery(name));
  // The variables of a static site are used by its build alone, so that a restart would not apply them.
  const hasProcesses = (running?.processes.length ?? 0) > 0;
  return (
    <Stack gap="lg">
      <VariableEditor
        title={say('title')}
        about={say('about')}
        fileName={name}
        variables={data?.variables.map(shownInSite)}
        error={error}
        onRetry={() => refetch()}
        save={save}
      >
        {hasPendingChanges(site) && (
          <PendingChanges
            about={say('pending')}
            {...apply}
            restart={hasProcesses ? apply.restart : undefined}
          />
        )}
      </VariableEditor>
      {data && site.role === 'owner' && <LinkedGroups siteName={name} groups={data.groups} />}
    </Stack>
  );
}
