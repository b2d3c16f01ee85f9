import { Divider, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { EditForm } from '../../../components/edit-form.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { writeStored } from '../../../lib/stored-value.ts';
import {
  type ReadVendor,
  useAddVendor,
  useChangeVendor,
  useRemoveVendor,
  vendorQuery,
} from '../api/vendors.ts';
import { words } from '../words.ts';
import { VendorForm } from './vendor-form.tsx';
import {
  emptyVendor,
  type VendorValues,
  vendorBodyOf,
  vendorChangesOf,
  vendorValuesOf,
} from './vendor-values.ts';

export function NewVendor({ onDone }: { onDone(): void }) {
  const say = useWords(words);
  const notify = useNotify();
  const add = useAddVendor();
  const keyOf = useIdempotencyKey();
  const submit = (values: VendorValues) => {
    const body = vendorBodyOf(values);
    add.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess() {
          writeStored('new-vendor', undefined);
          notify(say('vendorKept'));
          onDone();
        },
      },
    );
  };
  return (
    <VendorForm
      draftKey="new-vendor"
      initial={emptyVendor}
      submit={say('keepVendor')}
      isPending={add.isPending}
      error={add.error}
      onSubmit={submit}
    />
  );
}

export function VendorDetails({ vendorId, onDone }: { vendorId: string; onDone(): void }) {
  const { data: read, error, refetch } = useQuery(vendorQuery(vendorId));
  if (error && !read) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!read) return <Skeleton height={420} />;
  return (
    <Stack gap="lg">
      <ChangeVendor read={read} />
      <Divider />
      <RemoveVendor id={vendorId} onDone={onDone} />
    </Stack>
  );
}

function ChangeVendor({ read }: { read: ReadVendor }) {
  const say = useWords(words);
  const { id } = read.vendor;
  const store = useChangeVendor(id);
  const show = (name: keyof VendorValues, value: VendorValues[keyof VendorValues]): string => {
    if (name === 'kind' && value) return say(`kind_${value as NonNullable<VendorValues['kind']>}`);
    return name === 'kashrut_level'
      ? say(`kashrut_${value as VendorValues['kashrut_level']}`)
      : (value ?? '');
  };
  return (
    <EditForm
      read={read}
      query={vendorQuery(id)}
      draftKey={`vendor-${id}`}
      valuesOf={({ vendor }) => vendorValuesOf(vendor)}
      changesOf={vendorChangesOf}
      send={(body, { etag }): Promise<ReadVendor> => store.mutateAsync({ body, etag })}
      label={(name) => say(LABELS[name])}
      show={show}
    >
      {(form) => <VendorForm {...form} submit={say('save')} />}
    </EditForm>
  );
}

/** Button that deletes a vendor for good: the first press explains, the second deletes. */
function RemoveVendor({ id, onDone }: { id: string; onDone(): void }) {
  const say = useWords(words);
  const notify = useNotify();
  const remove = useRemoveVendor(id);
  const submit = () =>
    remove.mutate(undefined, {
      onSuccess() {
        writeStored(`vendor-${id}`, undefined);
        notify(say('vendorGone'));
        onDone();
      },
    });
  return (
    <ConfirmButton
      label={say('removeVendor')}
      keep={say('keep')}
      about={say('removeVendorAbout')}
      error={remove.error}
      isPending={remove.isPending}
      onConfirm={submit}
    />
  );
}

const LABELS = {
  name: 'vendorName',
  kind: 'kind',
  contact_name: 'contact',
  phone: 'phone',
  email: 'email',
  kashrut_level: 'kashrut',
  kashrut_issuer: 'issuer',
  kashrut_expiry_date: 'validUntil',
  vendor_note: 'note',
} as const satisfies Record<keyof VendorValues, keyof typeof words>;
