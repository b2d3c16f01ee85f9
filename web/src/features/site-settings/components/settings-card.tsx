import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Application, PlanForecast } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { DraftForm } from '../../../components/draft-form.tsx';
import { useNotifySaved } from '../../../components/edit-form.tsx';
import { ReadOnlyBelow } from '../../../components/for-role.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { valueInImage } from '../../new-site/api/plan-lines.ts';
import { useSite } from '../../sites/api/sites.ts';
import { changedSettings, type SettingName, type SettingValues, settingsOf } from '../api/setting-values.ts';
import { useChangeSite } from '../api/settings.ts';
import { words } from '../words.ts';
import { SettingField } from './setting-field.tsx';

interface SettingsCardProps {
  title: string;
  about?: string;
  fields: readonly SettingName[];
  /** What was recognised in the site's source, once it is read: it applies for empty fields. */
  forecast?: PlanForecast | undefined;
}

/** Card with some settings of the site and a button that saves them. */
export function SettingsCard({ title, about, ...form }: SettingsCardProps) {
  const { site } = useSite();
  const all = settingsOf(site);
  const initial = Object.fromEntries(form.fields.map((name) => [name, all[name]]));
  return (
    <Card title={title}>
      <Stack gap="md">
        {about && <Text c="dimmed">{about}</Text>}
        {/* The form begins anew once other values are stored. */}
        <ReadOnlyBelow atLeast="administer">
          <SettingsForm key={JSON.stringify(initial)} initial={initial} {...form} />
        </ReadOnlyBelow>
      </Stack>
    </Card>
  );
}

interface SettingsFormProps extends Pick<SettingsCardProps, 'fields' | 'forecast'> {
  initial: Partial<SettingValues>;
}

function SettingsForm({ initial, fields, forecast }: SettingsFormProps) {
  const say = useWords(words);
  const navigate = useNavigate();
  const notifySaved = useNotifySaved();
  const { name, site } = useSite();
  const draft = useFormDraft<Partial<SettingValues>>(
    `site ${site.application_uuid} ${fields.join(' ')}`,
    initial,
    () => ({}),
  );
  // The form begins anew with the stored values, so its draft must be gone before.
  const change = useChangeSite(name, (saved: Application) => {
    draft.forget();
    notifySaved(true);
    // The page's address has the site's subdomain.
    if (saved.subdomain !== site.subdomain && name !== saved.subdomain)
      navigate({ to: '/sites/$name/settings', params: { name: saved.subdomain }, replace: true }).catch(
        () => {},
      );
  });
  const save = (values: Partial<SettingValues>) => {
    const changes = changedSettings(values, initial);
    if (Object.keys(changes).length === 0) return notifySaved(false);
    change.mutate(changes);
  };
  return (
    <DraftForm
      draft={draft}
      submit={say('save')}
      isPending={change.isPending}
      error={change.error}
      onSubmit={save}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {fields.map((field) => (
          <SettingField
            key={field}
            form={draft.form}
            name={field}
            placeholder={forecast && plannedValue(field, forecast)}
            branches={forecast?.branches ?? []}
          />
        ))}
      </SimpleGrid>
    </DraftForm>
  );
}

/** Value that the plan has for an empty setting. */
function plannedValue(name: SettingName, forecast: PlanForecast): string | undefined {
  const { plan } = forecast;
  if (!plan) return undefined;
  const own = valueInImage(forecast, name);
  if (own !== undefined) return own;
  switch (name) {
    case 'node':
      return plan.node ?? undefined;
    case 'install':
    case 'build':
      return plan.steps.find((step) => step.name === name)?.command;
    case 'start':
      return plan.processes.web;
    case 'publish':
      return plan.publish[0];
    case 'port':
      return plan.port === null ? undefined : String(plan.port);
    default:
      return undefined;
  }
}
