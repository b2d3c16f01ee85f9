import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { DayInput } from '../../../components/day-input.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { VENDOR_KINDS } from '../api/search.ts';
import { words } from '../words.ts';
import { KindIcon } from './kind-icon.tsx';
import { servesFood, type VendorValues } from './vendor-values.ts';

const KASHRUT = ['none', 'regular', 'mehadrin', 'chalav_yisrael'] as const;

interface VendorFieldsProps {
  form: UseFormReturnType<VendorValues>;
  /** True to leave out the field for the vendor's note, beside a booking that has a note of its own. */
  withoutNote?: boolean;
}

/** Form fields of a vendor. The certificate is only for vendors who serve food. */
export function VendorFields({ form, withoutNote }: VendorFieldsProps) {
  const say = useWords(words);
  const { kind, kashrut_level: level } = form.values;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={say('vendorName')} dir="auto" required {...form.getInputProps('name')} />
        <Select
          label={say('kind')}
          required
          searchable
          allowDeselect={false}
          nothingFoundMessage="—"
          leftSection={<KindIcon kind={kind} size={18} />}
          data={VENDOR_KINDS.map((value) => ({ value, label: say(`kind_${value}`) }))}
          {...form.getInputProps('kind')}
        />
        <TextInput label={say('contact')} dir="auto" {...form.getInputProps('contact_name')} />
        <TextInput
          label={say('phone')}
          type="tel"
          dir="ltr"
          autoComplete="off"
          {...form.getInputProps('phone')}
        />
      </SimpleGrid>
      <TextInput
        label={say('email')}
        type="email"
        dir="ltr"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      {(servesFood(kind) || level !== 'none') && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label={say('kashrut')}
            allowDeselect={false}
            data={KASHRUT.map((value) => ({ value, label: say(`kashrut_${value}`) }))}
            {...form.getInputProps('kashrut_level')}
          />
          {level !== 'none' && (
            <>
              <TextInput label={say('issuer')} dir="auto" {...form.getInputProps('kashrut_issuer')} />
              <DayInput label={say('validUntil')} {...form.getInputProps('kashrut_expiry_date')} />
            </>
          )}
        </SimpleGrid>
      )}
      {!withoutNote && <Textarea label={say('note')} dir="auto" {...form.getInputProps('vendor_note')} />}
    </>
  );
}
