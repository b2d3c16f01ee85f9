import { Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { useRef, useState } from 'react';
import type { ImportReport, Progress } from 'simcha-client';
import { BackLink } from '../../../components/back-link.tsx';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { useMayEdit } from '../../events/api/access.ts';
import {
  encodeChoices,
  type ImportChoices,
  type ImportDryRun,
  importDryRunQuery,
  useImportFile,
} from '../api/import.ts';
import type { ImportSearch, ImportStep } from '../api/import-search.ts';
import { ImportColumns } from '../components/import-columns.tsx';
import { ImportDone } from '../components/import-done.tsx';
import { type ImportResult, useImportDraft } from '../components/import-draft.ts';
import { ImportFile } from '../components/import-file.tsx';
import { ImportPreview } from '../components/import-preview.tsx';
import { ImportProgress } from '../components/import-progress.tsx';
import { ImportSteps } from '../components/import-steps.tsx';
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
  const { language } = useLanguage();
  const queries = useQueryClient();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kept = useImportDraft(eventId);
  const { held, said: choices, chosen, taken } = kept;
  const [sent, setSent] = useState<Progress>();
  const over = useRef<AbortController>(undefined);
  const keyOf = useIdempotencyKey();
  const take = useImportFile(eventId);
  const trial = importDryRunQuery(eventId, held, choices, language, setSent);
  const trying = useQuery(trial);
  // The last report stays visible while the next one is loading or fails.
  const seen = useRef<{ file: File; tried: ImportDryRun }>(undefined);
  if (held && trying.data) seen.current = { file: held, tried: trying.data };
  const tried = seen.current?.file === held ? seen.current?.tried : undefined;

  const go = (next: ImportSearch, replace = false) =>
    void navigate({ search: next, replace, resetScroll: next.step !== search.step });
  const step = stepOf(search.step, kept);
  const begin = (file: File) => {
    setSent(undefined);
    kept.take(file);
    go({ step: 'columns' });
  };
  const stop = () => {
    queries.cancelQueries({ queryKey: trial.queryKey }).catch(() => {});
    kept.startOver();
    go({});
  };
  const applyChoices = (next: ImportChoices) => {
    setSent(undefined);
    kept.keep({ said: next });
  };
  const forward = () => {
    if (Object.keys(chosen).length > 0)
      kept.keep({ said: { ...choices, mapping: { ...choices.mapping, ...chosen } }, chosen: {} });
    go({ step: 'rows' });
  };
  const choose = (column: string, field: string) => {
    const { [column]: _, ...others } = chosen;
    kept.keep({ chosen: field === 'question' ? others : { ...others, [column]: field } });
  };
  const takeThem = (isSome: boolean) => {
    if (!held) return;
    setSent(undefined);
    const key = keyOf([held.name, held.size, held.lastModified, encodeChoices(choices), isSome]);
    over.current = new AbortController();
    const { signal } = over.current;
    take.mutateAsync({ file: held, choices, isSome, key, signal, onProgress: setSent }).then(
      (report) => {
        kept.finish(takenOf(report));
        go({ step: 'done' }, true);
      },
      () => {
        if (signal.aborted) take.reset();
        // The result of each row is reloaded, since the list may have changed.
        else trying.refetch().catch(() => {});
      },
    );
  };

  const isWaiting = (step === 'columns' || step === 'rows') && !tried && trying.isFetching;
  return (
    <>
      <ImportSteps
        eventId={eventId}
        step={step}
        isOpen={(one) => one === 'file' || (one !== 'done' && tried !== undefined && !take.isPending)}
      />
      {step === 'file' && (
        <ImportFile
          eventId={eventId}
          forgotten={held ? undefined : kept.file?.name}
          onFile={begin}
          onStartOver={kept.startOver}
        />
      )}
      {isWaiting && <ImportProgress sent={sent} then="reading" onCancel={stop} />}
      {take.isPending && <ImportProgress sent={sent} then="taking" onCancel={() => over.current?.abort()} />}
      {(step === 'columns' || step === 'rows') && !tried && (
        <ProblemNote error={trying.error} again={() => void trying.refetch()} />
      )}
      {step === 'columns' && tried && held && (
        <ImportColumns
          name={held.name}
          tried={tried}
          chosen={{ ...chosen }}
          onChoose={choose}
          onForward={forward}
          onBack={() => go({})}
        />
      )}
      {step === 'rows' && tried && !take.isPending && (
        <ImportPreview
          eventId={eventId}
          tried={tried}
          choices={choices}
          show={search.show}
          isBusy={trying.isFetching}
          error={trying.error ?? tried.problem}
          refusal={take.error}
          onShow={(show) => go({ step: 'rows', show }, true)}
          onChoices={applyChoices}
          onTake={takeThem}
          again={() => void trying.refetch()}
        />
      )}
      {step === 'done' && taken && (
        <ImportDone
          eventId={eventId}
          taken={taken}
          onTakenBack={(isTakenBack) => kept.finish({ ...taken, isTakenBack })}
          onCorrect={begin}
          onAnother={() => {
            kept.startOver();
            go({});
          }}
        />
      )}
    </>
  );
}

/** Step to show, as far as there is a file: a reload loses it. */
function stepOf(asked: ImportSearch['step'], { held, taken }: { held: unknown; taken: unknown }): ImportStep {
  if (asked === 'done') return taken ? 'done' : 'file';
  return asked && held ? asked : 'file';
}

function takenOf(report: ImportReport): ImportResult {
  const { created, updated, unchanged, skipped, refused, asked, rows, to_mend: toMend } = report;
  const ids = rows.flatMap(({ action, guest_id: id }) => (action === 'create' && id ? [id] : []));
  return { created, updated, unchanged, skipped, left: refused + asked, ids, ...(toMend && { toMend }) };
}
