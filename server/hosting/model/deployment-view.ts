import type { Language } from '../../kernel/languages.ts';
import type { DeploymentRow } from './deployment-rows.ts';
import { isFinal } from './lifecycle.ts';
import { describeReason, reason } from './reasons/reason.ts';

/** Deployment as the API and webhooks show it, with its reason in words of a language. */
export function presentDeployment(row: DeploymentRow, language: Language) {
  const {
    attempts: _attempts,
    cancel_requested: _cancel,
    released: _released,
    traceparent: _traceparent,
    release_id: releaseId,
    environment_id: _environment,
    reason: ending,
    waits_for: waitsFor,
    upload,
    ...shown
  } = row;
  const why = ending ?? (waitsFor ? reason(waitsFor) : null);
  return {
    ...shown,
    release_uuid: releaseId,
    upload: upload && presentUpload(upload),
    reason: why && describeReason(why, language),
    reason_code: why?.code ?? null,
    requested_at: row.history[0]?.at ?? '',
    ended_at: isFinal(row.status) ? (row.history.at(-1)?.at ?? null) : null,
  };
}

function presentUpload({ upload_id: _, ...shown }: NonNullable<DeploymentRow['upload']>) {
  return shown;
}
