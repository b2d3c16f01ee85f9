import { Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../../../lib/language-context.tsx';
import { CHANNELS, type RoundChannel } from '../api/kinds.ts';
import { channelsQuery } from '../api/rounds.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

interface ChannelFieldProps {
  eventId: string;
  value: RoundChannel;
  error: string | undefined;
  onChange(channel: RoundChannel): void;
}

/**
 * Form field for the channel of a message. Channels that are not set up on this server are disabled, with an
 * explanation.
 */
export function ChannelField({ eventId, value, error, onChange }: ChannelFieldProps) {
  const say = useWords(words);
  const { data: channels } = useQuery(channelsQuery(eventId));
  const isOpen = (name: RoundChannel) => channels?.find((one) => one.name === name)?.open ?? name === 'mail';
  const closed = (['sms', 'whatsapp'] as const).filter((name) => channels && !isOpen(name));
  const [first] = closed;
  return (
    <Stack gap={6}>
      <Select
        label={say('channel')}
        description={say(`about_${value}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        classNames={{ option: classes.channel ?? '' }}
        value={value}
        error={error}
        data={CHANNELS.map((name) => ({ value: name, label: say(name), disabled: !isOpen(name) }))}
        renderOption={({ option: { value: name, label, disabled } }) => (
          <div>
            <Text>{label}</Text>
            <Text size="sm">{say(disabled ? 'notSetUp' : `about_${name as RoundChannel}`)}</Text>
          </div>
        )}
        onChange={(name) => name && onChange(name as RoundChannel)}
      />
      {first && <Text size="sm">{say(closed.length > 1 ? 'closed_both' : `closed_${first}`)}</Text>}
    </Stack>
  );
}
