import { Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CountedEvent } from 'simcha-client';
import { EditForm } from '../../../components/edit-form.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGES, type LanguageName } from '../../../lib/languages.ts';
import { changeInvitation, invitationQuery, type ReadInvitation } from '../api/invitation.ts';
import { words } from '../words.ts';
import {
  type InvitationValues,
  invitationChangesOf,
  invitationValuesOf,
  TRANSLATED_FIELDS,
} from './invitation-values.ts';
import { PictureCard } from './picture.tsx';
import { WordsForm } from './words-form.tsx';

interface WordsPartProps {
  event: CountedEvent;
  language: LanguageName;
  onLanguage(language: LanguageName): void;
  mayEdit: boolean;
}

/** Part of the invitation page with the picture and the texts. */
export function WordsPart(props: WordsPartProps) {
  const { event, mayEdit } = props;
  const { language } = useLanguage();
  const { data: read, error, refetch } = useQuery(invitationQuery(event.id));
  if (error && !read) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!read) {
    return (
      <Stack gap="lg">
        <Skeleton height={220} radius="lg" />
        <Skeleton height={520} radius="lg" />
      </Stack>
    );
  }
  const { picture_alt: descriptions } = read.invitation;
  const ofPage = Object.entries(CODE_OF).find(([, code]) => code === language)?.[0] as LanguageName;
  const alt = descriptions?.[ofPage] ?? descriptions?.[event.language_pref] ?? event.title;
  return (
    <Stack gap="lg">
      <PictureCard eventId={event.id} alt={alt} mayEdit={mayEdit} />
      <Words {...props} read={read} />
    </Stack>
  );
}

function Words({ read, ...others }: WordsPartProps & { read: ReadInvitation }) {
  const say = useWords(words);
  const queries = useQueryClient();
  const { id } = others.event;
  return (
    <EditForm
      read={read}
      query={invitationQuery(id)}
      draftKey={`invitation-${id}`}
      valuesOf={({ invitation }) => invitationValuesOf(invitation)}
      changesOf={invitationChangesOf}
      send={(body, of) => changeInvitation(queries, id, body, of.etag)}
      label={(name) => labelOf(name, say)}
      show={(name, value) =>
        name === 'map' || name === 'hebrew_date'
          ? say(`${name}_${(value as 'yes' | 'no' | '') || 'auto'}`)
          : (value ?? '')
      }
    >
      {(form) => <WordsForm {...form} {...others} />}
    </EditForm>
  );
}

function labelOf(name: keyof InvitationValues, say: ReturnType<typeof useWords<typeof words>>): string {
  const translated = TRANSLATED_FIELDS.find(([field]) => field === name);
  if (translated) return `${say(translated[1])} (${LANGUAGES[CODE_OF[translated[2]]].name})`;
  return say(name as Exclude<keyof InvitationValues, `${string}_${LanguageName}`>);
}
