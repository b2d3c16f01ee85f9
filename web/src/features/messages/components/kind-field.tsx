import { Select, Text } from '@mantine/core';
import { useWords } from '../../../lib/language-context.tsx';
import type { RoundKind } from '../api/kinds.ts';
import { words } from '../words.ts';

interface KindFieldProps {
  value: RoundKind;
  kinds: readonly RoundKind[];
  onChange(kind: RoundKind | undefined): void;
}

/** Form field for the kind of a message, which explains each kind. */
export function KindField({ value, kinds, onChange }: KindFieldProps) {
  const say = useWords(words);
  return (
    <Select
      label={say('kind')}
      description={say(`about_${value}`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      value={value}
      data={kinds.map((kind) => ({ value: kind, label: say(kind) }))}
      renderOption={({ option: { value: kind, label } }) => (
        <div>
          <Text>{label}</Text>
          <Text size="sm" opacity={0.8}>
            {say(`about_${kind as RoundKind}`)}
          </Text>
        </div>
      )}
      onChange={(kind) => onChange((kind as RoundKind | null) ?? undefined)}
    />
  );
}
