import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

export interface RegistryLoginValues {
  user: string;
  password: string;
}

interface RegistryLoginProps {
  values: RegistryLoginValues;
  onChange(values: RegistryLoginValues): void;
  /** What the server says about a field. */
  complaintAt(field: string): string | undefined;
  /** True if a password is stored, which an empty field keeps. */
  hasPassword?: boolean;
}

/** Fields for the user name and the password or token at an image's registry. */
export function RegistryLogin({ values, onChange, complaintAt, hasPassword = false }: RegistryLoginProps) {
  const say = useWords(words);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <TextInput
        label={say('registryUser')}
        styles={{ input: { direction: 'ltr', textAlign: 'start' } }}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={values.user}
        error={complaintAt('registry_user')}
        onChange={({ currentTarget }) => onChange({ ...values, user: currentTarget.value })}
      />
      <PasswordInput
        label={say('registryPassword')}
        size="md"
        autoComplete="new-password"
        placeholder={hasPassword ? say('passwordKept') : undefined}
        value={values.password}
        error={complaintAt('registry_password')}
        onChange={({ currentTarget }) => onChange({ ...values, password: currentTarget.value })}
      />
    </SimpleGrid>
  );
}
