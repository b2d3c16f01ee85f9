import { Divider, Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSafeChange } from '../../../components/changed-elsewhere.ts';
import { Merge } from '../../../components/merge.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TwoPresses } from '../../../components/two-presses.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useOnceKey } from '../../../lib/once-key.ts';
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
  const tell = useNotify();
  const add = useAddVendor();
  const keyOf = useOnceKey();
  const submit = (values: VendorValues) => {
    const body = vendorBodyOf(values);
    add.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess() {
          writeStored('new-vendor', undefined);
          tell(say('vendorKept'));
          onDone();
        },
      },
    );
  };
  return (
    <VendorForm
      keptAs="new-vendor"
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
  if (error && !read) return <ProblemNote error={error} again={() => refetch()} />;
  if (!read) return <Skeleton height={420} />;
  return (
    <Stack gap="lg">
      <ChangeVendor read={read} />
      <Divider />
      <RemoveVendor id={vendorId} onDone={onDone} />
    </Stack>
  );
}

/** Form for a vendor. If it was changed elsewhere meanwhile, the user chooses between the versions. */
function ChangeVendor({ read }: { read: ReadVendor }) {
  const say = useWords(words);
  const tell = useNotify();
  const { id } = read.vendor;
  const keptAs = `vendor-${id}`;
  const queries = useQueryClient();
  const store = useChangeVendor(id);
  const change = useSafeChange({
    read,
    keptAs,
    valuesOf: ({ vendor }) => vendorValuesOf(vendor),
    changesOf: vendorChangesOf,
    readAgain: () => queries.fetchQuery({ ...vendorQuery(id), staleTime: 0 }),
    send: (body, { etag }): Promise<ReadVendor> => store.mutateAsync({ body, etag }),
    onStored: (isOther) => tell(say(isOther ? 'saved' : 'nothingChanged')),
  });
  const show = (name: keyof VendorValues, value: VendorValues[keyof VendorValues]): string => {
    if (name === 'kind' && value) return say(`kind_${value as NonNullable<VendorValues['kind']>}`);
    return name === 'kashrut_level'
      ? say(`kashrut_${value as VendorValues['kashrut_level']}`)
      : (value ?? '');
  };
  if (change.conflict) {
    return (
      <Merge
        {...change.conflict}
        label={(name) => say(LABELS[name])}
        show={show}
        isPending={change.isPending}
        onChosen={change.choose}
      />
    );
  }
  return (
    <VendorForm
      key={change.base.etag}
      keptAs={keptAs}
      initial={change.before}
      submit={say('save')}
      isPending={change.isPending}
      error={change.error}
      onSubmit={change.save}
    />
  );
}

/** Button that deletes a vendor for good, after an explanation. */
function RemoveVendor({ id, onDone }: { id: string; onDone(): void }) {
  const say = useWords(words);
  const tell = useNotify();
  const remove = useRemoveVendor(id);
  const submit = () =>
    remove.mutate(undefined, {
      onSuccess() {
        writeStored(`vendor-${id}`, undefined);
        tell(say('vendorGone'));
        onDone();
      },
    });
  return (
    <TwoPresses
      label={say('removeVendor')}
      keep={say('keep')}
      about={say('removeVendorAbout')}
      error={remove.error}
      isPending={remove.isPending}
      onSure={submit}
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
