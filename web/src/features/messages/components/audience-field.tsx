import { Chip, Group, Input, MultiSelect, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../../../lib/language-context.tsx';
import { tagsQuery } from '../api/rounds.ts';
import { AUDIENCE_ANSWERS, type AudienceAnswer, type ComposerSearch } from '../api/search.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

interface AudienceFieldProps {
  eventId: string;
  search: ComposerSearch;
  onChange(changed: ComposerSearch): void;
}

/** Form field for the audience: everybody whom the message concerns, or a filtered part of the guest list. */
export function AudienceField({ eventId, search, onChange }: AudienceFieldProps) {
  const say = useWords(words);
  const { data: tags } = useQuery(tagsQuery(eventId));
  const { some, status, tag, invited } = search;
  const known = new Set([...(tags?.map((one) => one.tag) ?? []), ...(tag ?? [])]);
  return (
    <Stack gap="md">
      <Input.Wrapper label={say('to')} labelElement="div" size="md">
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label={say('to')}
          value={some ? 'some' : 'all'}
          onChange={(value) =>
            onChange(
              value === 'some'
                ? { some: true }
                : { some: undefined, status: undefined, tag: undefined, invited: undefined },
            )
          }
          data={[
            { value: 'all', label: say('toAll') },
            { value: 'some', label: say('toSome') },
          ]}
        />
      </Input.Wrapper>
      {some && (
        <>
          <Input.Wrapper
            label={say('byAnswer')}
            description={say('byAnswerHint')}
            labelElement="div"
            size="md"
          >
            <Chip.Group
              multiple
              value={status ?? []}
              onChange={(chosen) =>
                onChange({ status: chosen.length > 0 ? (chosen as AudienceAnswer[]) : undefined })
              }
            >
              <Group gap="xs" mt={8} role="group" aria-label={say('byAnswer')}>
                {AUDIENCE_ANSWERS.map((value) => (
                  <Chip
                    key={value}
                    value={value}
                    size="md"
                    variant="outline"
                    classNames={{ root: classes.chip ?? '' }}
                  >
                    {say(value)}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          </Input.Wrapper>
          {known.size > 0 && (
            <MultiSelect
              size="md"
              label={say('byTag')}
              placeholder={tag ? '' : say('anyTag')}
              data={[...known]}
              value={tag ?? []}
              onChange={(chosen) => onChange({ tag: chosen.length > 0 ? chosen : undefined })}
              searchable
              comboboxProps={{ shadow: 'md' }}
            />
          )}
          <Input.Wrapper label={say('byInvited')} labelElement="div" size="md">
            <SegmentedControl
              fullWidth
              mt={4}
              aria-label={say('byInvited')}
              value={String(invited ?? '')}
              onChange={(value) => onChange({ invited: value === '' ? undefined : value === 'true' })}
              data={[
                { value: '', label: say('either') },
                { value: 'false', label: say('notInvited') },
                { value: 'true', label: say('invited') },
              ]}
            />
          </Input.Wrapper>
        </>
      )}
    </Stack>
  );
}
