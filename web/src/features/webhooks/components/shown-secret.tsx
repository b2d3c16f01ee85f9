import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { CopyText } from '../../../components/copy-text.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** Secret of a webhook, which is shown only now. */
export function ShownSecret({ secret, onDone }: { secret: string; onDone(): void }) {
  const say = useWords(words);
  return (
    <Stack gap="sm" align="stretch">
      <Text role="status" fw={500}>
        {say('once')}
      </Text>
      <TextInput
        aria-label={say('secret')}
        readOnly
        dir="ltr"
        value={secret}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group>
        <CopyText text={secret} label={say('copy')} />
        <Button variant="subtle" onClick={onDone}>
          {say('done')}
        </Button>
      </Group>
    </Stack>
  );
}
