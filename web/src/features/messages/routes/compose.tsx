import { Button, Group, Input, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import type { CountedEvent, NewRound } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useTell } from '../../../components/tell.ts';
import { useKept, writeKept } from '../../../lib/kept.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import type { LanguageName } from '../../../lib/languages.ts';
import { problemOf } from '../../../lib/problems.ts';
import { useAccess } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';
import { type Draft, EMPTY, missingOf, newRoundOf, planThanks } from '../api/draft.ts';
import { type Channel, type Kind, kindsFor, OURS } from '../api/kinds.ts';
import { channelsQuery, previewQuery, useSendRound } from '../api/rounds.ts';
import type { ComposerSearch } from '../api/search.ts';
import { AudienceField } from '../components/audience-field.tsx';
import { DayAndTime } from '../components/day-and-time.tsx';
import classes from '../components/messages.module.css';
import { OwnWords } from '../components/own-words.tsx';
import { Preview } from '../components/preview.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/messages/new');
/** Once one has paused for so long, what would happen is asked again. */
const PAUSE = 400;

export function Compose() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const access = useAccess(eventId);
  const isDraft = event.status === 'draft';
  return (
    <Stack gap="lg">
      <Title order={2} size="h3">
        {say('write')}
      </Title>
      {access === 'view' || isDraft ? (
        <Card>
          <Stack align="flex-start">
            <Text>{say(access === 'view' ? 'onlyLook' : 'draft')}</Text>
            <ButtonLink
              variant="default"
              to={isDraft ? '/events/$eventId' : '/events/$eventId/messages'}
              params={{ eventId }}
            >
              {say(isDraft && access !== 'view' ? 'toOverview' : 'back')}
            </ButtonLink>
          </Stack>
        </Card>
      ) : (
        <Composer event={event} />
      )}
    </Stack>
  );
}

function Composer({ event }: { event: CountedEvent }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const tell = useTell();
  const eventId = event.id;
  const search = route.useSearch();
  const look = route.useNavigate();
  const leave = useNavigate();
  const keptAs = `message-${eventId}`;
  const [draft, setDraft] = useKept<Draft>(keptAs, EMPTY);
  const [open, setOpen] = useState<LanguageName>(event.language_pref);
  const [isTried, setTried] = useState(false);
  // One key for one form as it stands: pressed again after a lost answer, it sends nothing twice.
  const [attempt, setAttempt] = useState({ typed: '', key: '' });
  const send = useSendRound(eventId);

  const kinds = kindsFor(event, search.kind);
  const kind = kinds.find((one) => one === search.kind) ?? usualOf(kinds);
  const { data: channels } = useQuery(channelsQuery(eventId));
  const ways = OURS.filter((name) => channels?.some((one) => one.name === name && one.open));
  const channel: Channel = ways.find((name) => name === search.channel) ?? 'mail';
  const body = newRoundOf({ kind, channel }, search, draft);
  const missing = missingOf(kind, draft);

  const typed = JSON.stringify(body);
  const [asked] = useDebouncedValue(typed, PAUSE);
  const dryRun = useQuery({
    ...previewQuery(eventId, JSON.parse(asked) as NewRound),
    enabled: !missing && channels !== undefined,
  });
  const isFresh = asked === typed && !dryRun.isPlaceholderData;
  const preview = missing ? undefined : dryRun.data;

  const errors: Record<string, string> = {};
  for (const error of [dryRun.error, send.error]) {
    const problem = error && !missing ? problemOf(error, language) : undefined;
    if (problem?.field) errors[problem.field] = problem.sentence;
  }
  if (errors.message) errors[`message.${open}`] = errors.message;
  if (isTried && missing)
    errors[missing === 'message' ? `message.${open}` : missing] = say(
      missing === 'message' ? 'wordless' : 'pickBoth',
    );
  const isAtField = (error: unknown) => {
    const field = error ? problemOf(error, language).field : undefined;
    return field !== undefined && /^(subject|message|send_at)\b/.test(field);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each answer
  useEffect(() => {
    if (isAtField(send.error)) focusOn(problemOf(send.error, language).field ?? '');
  }, [send.error]);

  const change = (changed: ComposerSearch) =>
    look({ search: { ...search, ...changed }, replace: true, resetScroll: false }).catch(() => {});
  const focusOn = (field: string) => {
    const [, spoken] = field.split('.');
    if (spoken) setOpen(spoken as LanguageName);
    // Once its tab is open.
    requestAnimationFrame(() => document.getElementById(field)?.focus());
  };
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    setTried(true);
    if (missing) return focusOn(missing === 'message' ? `message.${open}` : missing);
    const key = attempt.typed === typed ? attempt.key : crypto.randomUUID();
    setAttempt({ typed, key });
    send.mutate(
      { body, key },
      {
        onSuccess({ round }) {
          writeKept(keptAs, undefined);
          tell(say(round.send_at ? 'scheduledNow' : 'sentNow'));
          const params = { eventId, roundId: round.id };
          leave({ to: '/events/$eventId/messages/$roundId', params, replace: true }).catch(() => {});
        },
      },
    );
  };
  // Nobody sends what was not seen as it stands; where it can't be asked, the server refuses in its own words.
  const isSeen =
    missing !== undefined ||
    dryRun.isError ||
    (isFresh && preview !== undefined && (preview.chosen > 0 || draft.isLater));
  const label = draft.isLater
    ? say('schedule')
    : isFresh && preview && preview.chosen > 0
      ? say('sendTo', { n: preview.chosen })
      : say('send');
  return (
    <form className={classes.composer} noValidate onSubmit={submit}>
      <Card>
        <Stack gap="xl">
          <Select
            label={say('kind')}
            description={say(`about_${kind}`)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            allowDeselect={false}
            value={kind}
            data={kinds.map((value) => ({ value, label: say(value) }))}
            renderOption={({ option: { value, label } }) => (
              <div>
                <Text>{label}</Text>
                <Text size="sm" opacity={0.8}>
                  {say(`about_${value as Kind}`)}
                </Text>
              </div>
            )}
            onChange={(value) => {
              if (value === 'thanks') setDraft(planThanks(draft, event));
              change({ kind: (value as Kind | null) ?? undefined });
            }}
          />
          <Input.Wrapper
            label={say('channel')}
            description={channels && ways.length < 2 ? say('mailAlone') : undefined}
            error={errors.channel}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            labelElement="div"
            size="md"
          >
            <SegmentedControl
              fullWidth
              size="md"
              my={4}
              aria-label={say('channel')}
              value={channel}
              onChange={(value) => change({ channel: value as Channel })}
              data={(ways.length > 0 ? ways : (['mail'] as const)).map((value) => ({
                value,
                label: say(value),
              }))}
            />
          </Input.Wrapper>
          <AudienceField eventId={eventId} search={search} onChange={change} />
          <OwnWords
            draft={draft}
            isAlone={kind === 'message'}
            withSubject={channel === 'mail'}
            open={open}
            onOpen={setOpen}
            errors={errors}
            onChange={(changed) => setDraft({ ...draft, ...changed })}
          />
          <Stack gap="md">
            <Input.Wrapper label={say('when')} labelElement="div" size="md">
              <SegmentedControl
                fullWidth
                size="md"
                mt={4}
                aria-label={say('when')}
                value={draft.isLater ? 'later' : 'now'}
                onChange={(value) => setDraft({ ...draft, isLater: value === 'later' })}
                data={[
                  { value: 'now', label: say('now') },
                  { value: 'later', label: say('later') },
                ]}
              />
            </Input.Wrapper>
            {draft.isLater && (
              <DayAndTime
                value={draft}
                error={errors.send_at}
                onChange={(changed) => setDraft({ ...draft, ...changed })}
              />
            )}
          </Stack>
        </Stack>
      </Card>
      <div className={classes.preview}>
        <Preview
          preview={preview}
          error={isAtField(dryRun.error) ? undefined : dryRun.error}
          hint={missing && say(missing === 'message' ? 'wordless' : 'pickBoth')}
          again={() => dryRun.refetch()}
        />
      </div>
      <Stack gap="md">
        {!isAtField(send.error) && <ProblemNote error={send.error} />}
        <Group>
          <Button type="submit" size="lg" loading={send.isPending} disabled={!isSeen}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Before it begins most write an invitation; else the first that there is. */
const usualOf = (kinds: readonly Kind[]): Kind =>
  kinds.find((kind) => kind === 'invitation') ?? kinds[0] ?? 'message';
