import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import { useDestinations } from './destinations.ts';
import classes from './palette.module.css';

const TYPING_MS = 150;

/** Command palette: leads to any page, event or guest by a few letters. */
export function Palette({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const say = useWords(words);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={say('title')}
      withCloseButton={false}
      yOffset="12vh"
      padding="md"
      attributes={{ header: { role: 'none' } }}
    >
      <Choice onDone={onClose} />
    </Modal>
  );
}

function Choice({ onDone }: { onDone(): void }) {
  const say = useWords(words);
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed, TYPING_MS);
  const groups = useDestinations(searched);
  const combobox = useCombobox({ opened: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects the first result whenever the results change
  useEffect(() => {
    combobox.selectFirstOption();
  }, [groups.map(({ places }) => places.map(({ id }) => id).join()).join()]);
  const go = (id: string) => {
    const place = groups.flatMap(({ places }) => places).find((one) => one.id === id);
    onDone();
    place?.go().catch(() => {});
  };
  return (
    <Combobox store={combobox} onOptionSubmit={go}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          aria-label={say('title')}
          placeholder={say('hint')}
          dir="auto"
          role="combobox"
          autoComplete="off"
          leftSection={<Search size={18} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          // Escape is handled here because the palette's list, which is always open, would not pass the key on.
          onKeyDown={({ key }) => key === 'Escape' && onDone()}
        />
      </Combobox.EventsTarget>
      <Combobox.Options aria-label={say('title')} className={classes.options}>
        {groups.length === 0 && <Combobox.Empty>{say('nothing')}</Combobox.Empty>}
        {groups.map(({ name, places }) => (
          <Combobox.Group key={name} label={say(name)}>
            {places.map(({ id, label }) => (
              <Combobox.Option key={id} value={id} className={classes.option}>
                <bdi>{label}</bdi>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
    </Combobox>
  );
}
