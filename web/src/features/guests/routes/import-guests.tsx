import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { BackLink } from '../../../components/back-link.tsx';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useMayEdit } from '../../events/api/access.ts';
import type { ImportChoices } from '../api/import.ts';
import { tagSourcesOf } from '../api/import-lists.ts';
import type { ImportSearch, ImportStep } from '../api/import-search.ts';
import { ImportColumns } from '../components/import-columns.tsx';
import { ImportDone } from '../components/import-done.tsx';
import { useImportDraft } from '../components/import-draft.ts';
import { ImportFile } from '../components/import-file.tsx';
import { ImportPreview } from '../components/import-preview.tsx';
import { ImportProgress } from '../components/import-progress.tsx';
import { ImportSteps } from '../components/import-steps.tsx';
import { useImportRun, useImportTrial } from '../components/import-upload.ts';
import { words } from '../import-words.ts';

const route = getRouteApi('/inside/events/$eventId/guests/import');

export function ImportGuests() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const mayEdit = useMayEdit(eventId);
  return (
    <Stack gap="lg">
      <BackLink to="/events/$eventId/guests" params={{ eventId }}>
        {say('toGuests')}
      </BackLink>
      <PageHead order={2} title={say('title')} />
      {mayEdit ? (
        <Wizard key={eventId} eventId={eventId} />
      ) : (
        <Card>
          <Text>{say('onlyLook')}</Text>
        </Card>
      )}
    </Stack>
  );
}

function Wizard({ eventId }: { eventId: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const draft = useImportDraft(eventId);
  const { openFile, choices, chosen, result } = draft;
  const trial = useImportTrial(eventId, draft);
  const { tried } = trial;
  const go = (next: ImportSearch, replace = false) =>
    void navigate({ search: next, replace, resetScroll: next.step !== search.step });
  const run = useImportRun(eventId, draft, {
    onDone(result) {
      draft.finish(result);
      go({ step: 'done' }, true);
    },
    // The server may refuse an import because the guest list has changed since the dry run. So the dry run is repeated.
    onRefusal: trial.retry,
  });
  const step = stepOf(search.step, draft);
  const isInTrial = step === 'columns' || step === 'rows';

  const begin = (file: File) => {
    trial.resetProgress();
    draft.open(file);
    go({ step: 'columns' });
  };
  const startOver = () => {
    draft.startOver();
    go({});
  };
  const stop = () => {
    trial.cancel();
    startOver();
  };
  const applyChoices = (next: ImportChoices) => {
    trial.resetProgress();
    draft.keep({ choices: next });
  };
  const confirmColumns = () => {
    const tagsFrom = tagSourcesOf(tried?.report.lists ?? [], choices);
    draft.keep({ choices: { ...choices, tagsFrom, mapping: { ...choices.mapping, ...chosen } }, chosen: {} });
    go({ step: 'rows' });
  };
  return (
    <>
      <ImportSteps
        eventId={eventId}
        step={step}
        isOpen={(one) => one === 'file' || (one !== 'done' && tried !== undefined && !run.isPending)}
      />
      {step === 'file' && (
        <ImportFile
          eventId={eventId}
          forgotten={openFile ? undefined : draft.file?.name}
          onFile={begin}
          onStartOver={draft.startOver}
        />
      )}
      {isInTrial && !tried && trial.isFetching && (
        <ImportProgress sent={trial.sent} then="reading" onCancel={stop} />
      )}
      {run.isPending && <ImportProgress sent={run.sent} then="taking" onCancel={run.cancel} />}
      {isInTrial && !tried && <ProblemNote error={trial.error} onRetry={trial.retry} />}
      {step === 'columns' && tried && openFile && (
        <ImportColumns
          name={openFile.name}
          tried={tried}
          choices={choices}
          chosen={{ ...chosen }}
          isBusy={trial.isFetching}
          onChoices={applyChoices}
          onChoose={(column, field) => draft.keep({ chosen: withColumn(chosen, column, field) })}
          onForward={confirmColumns}
          onBack={() => go({})}
        />
      )}
      {step === 'rows' && tried && !run.isPending && (
        <ImportPreview
          eventId={eventId}
          tried={tried}
          choices={choices}
          show={search.show}
          isBusy={trial.isFetching}
          error={trial.error ?? tried.problem}
          refusal={run.error}
          onShow={(show) => go({ step: 'rows', show }, true)}
          onChoices={applyChoices}
          onTake={run.start}
          onRetry={trial.retry}
        />
      )}
      {step === 'done' && result && (
        <ImportDone
          eventId={eventId}
          result={result}
          onTakenBack={(isTakenBack) => draft.finish({ ...result, isTakenBack })}
          onCorrect={begin}
          onAnother={startOver}
        />
      )}
    </>
  );
}

/**
 * Chosen fields of the file's columns after the user chose a field for one column. A column in which the server
 * recognized the answers to a question of the event is left out: the server reads it so without a choice.
 */
function withColumn(
  chosen: ImportChoices['mapping'],
  column: string,
  field: string,
): ImportChoices['mapping'] {
  const { [column]: _, ...others } = chosen;
  return field === 'question' ? others : { ...others, [column]: field };
}

/** Step of the import to show: the first step if no file is open, since a reload of the page loses the file. */
function stepOf(
  asked: ImportSearch['step'],
  { openFile, result }: { openFile: unknown; result: unknown },
): ImportStep {
  if (asked === 'done') return result ? 'done' : 'file';
  return asked && openFile ? asked : 'file';
}
