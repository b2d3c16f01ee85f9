import { Button, Group, Input, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { CountedEvent, NewRound } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { useNotify } from '../../../components/notify.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useAccess } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';
import {
  type Draft,
  EMPTY_DRAFT,
  fieldOfDraft,
  missingFieldOf,
  newRoundOf,
  planThanks,
} from '../api/draft.ts';
import { isByPeople, kindsFor, type RoundKind } from '../api/kinds.ts';
import { channelsQuery, previewQuery, unreachedQuery, useSendRound } from '../api/rounds.ts';
import type { ComposerSearch } from '../api/search.ts';
import { AudienceField } from '../components/audience-field.tsx';
import { ChannelField } from '../components/channel-field.tsx';
import classes from '../components/messages.module.css';
import { useOpenLanguage } from '../components/open-language.ts';
import { OwnText } from '../components/own-text.tsx';
import { Preview } from '../components/preview.tsx';
import { SendAt } from '../components/send-at.tsx';
import { UnreachedField } from '../components/unreached-field.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/messages/new');
/** Pause in typing after which the preview is reloaded, in milliseconds. */
const PAUSE = 400;

export function Compose() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const access = useAccess(eventId);
  const isDraft = event.status === 'draft';
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('write')} />
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
  const notify = useNotify();
  const eventId = event.id;
  const search = route.useSearch();
  const look = route.useNavigate();
  const leave = useNavigate();
  const keyFor = useIdempotencyKey();
  const send = useSendRound(eventId);
  const [open, setOpen] = useOpenLanguage(event.language_pref, send.error);

  const kinds = kindsFor(event, search.kind);
  const kind = kinds.find((one) => one === search.kind) ?? usualOf(kinds);
  const { data: channels } = useQuery(channelsQuery(eventId));
  const channel =
    channels?.find(({ name, open: isOpen }) => isOpen && name === search.channel)?.name ?? 'mail';
  const unreached = useQuery({ ...unreachedQuery(eventId, search.from ?? ''), enabled: !!search.from });
  const guestIds = search.from ? unreached.data?.map(({ guest_id: id }) => id) : undefined;
  const isKnown = channels !== undefined && (!search.from || guestIds !== undefined);

  const sayMissing = (values: Draft) => {
    const missing = missingFieldOf(kind, values);
    if (!missing) return {};
    return missing === 'message' ? { [`message_${open}`]: say('wordless') } : { date: say('pickBoth') };
  };
  const keptForm = useFormDraft<Draft>(`new-message-${eventId}`, EMPTY_DRAFT, sayMissing);
  const { form, wasRestored, forget, startOver } = keptForm;
  const draft = form.values;
  const missing = missingFieldOf(kind, draft);
  const body = newRoundOf({ kind, channel, guestIds }, search, draft);

  const typed = JSON.stringify(body);
  const [asked] = useDebouncedValue(typed, PAUSE);
  const dryRun = useQuery({
    ...previewQuery(eventId, JSON.parse(asked) as NewRound),
    enabled: !missing && isKnown,
  });
  const isFresh = asked === typed && !dryRun.isPlaceholderData;
  const preview = missing ? undefined : dryRun.data;
  const tried = dryRun.error && !missing ? problemOf(dryRun.error, language) : undefined;
  const triedField = tried?.field && fieldOfDraft(tried.field, open);
  const errors = tried && triedField ? { [triedField]: tried.complaint } : {};

  const elsewhere = useFieldProblem(form, send.error, (field) => fieldOfDraft(field, open));

  const change = (changed: ComposerSearch) =>
    look({ search: { ...search, ...changed }, replace: true, resetScroll: false }).catch(() => {});
  const submit = () =>
    send.mutate(
      { body, key: keyFor(body) },
      {
        onSuccess({ round }) {
          forget();
          const isList = isByPeople(channel) && !round.send_at;
          notify(say(round.send_at ? 'scheduledNow' : isList ? 'listMade' : 'sentNow'));
          const to = isList
            ? '/events/$eventId/messages/$roundId/walk'
            : '/events/$eventId/messages/$roundId';
          leave({ to, params: { eventId, roundId: round.id }, replace: true }).catch(() => {});
        },
      },
    );
  // Sending requires a preview of the current values; if there can be none, the server refuses in its own words.
  const isSeen =
    missing !== undefined ||
    dryRun.isError ||
    (isFresh && preview !== undefined && (preview.chosen > 0 || draft.isLater));
  const label = draft.isLater
    ? say('schedule')
    : isFresh && preview && preview.chosen > 0
      ? say(isByPeople(channel) ? 'listOf' : 'sendTo', { n: preview.chosen })
      : say(isByPeople(channel) ? 'list' : 'send');
  return (
    <form
      className={classes.composer}
      noValidate
      onSubmit={form.onSubmit(submit, (wrong) => focusOn(form, Object.keys(wrong)[0]))}
    >
      <Card>
        <Stack gap="xl">
          {wasRestored && <DraftNote onStartOver={startOver} />}
          <Select
            label={say('kind')}
            description={say(`about_${kind}`)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            allowDeselect={false}
            value={kind}
            data={kinds.map((value) => ({ value, label: say(value) }))}
            renderOption={({ option: { value, label: name } }) => (
              <div>
                <Text>{name}</Text>
                <Text size="sm" opacity={0.8}>
                  {say(`about_${value as RoundKind}`)}
                </Text>
              </div>
            )}
            onChange={(value) => {
              if (value === 'thanks') form.setValues(planThanks(draft, event));
              change({ kind: (value as RoundKind | null) ?? undefined });
            }}
          />
          <ChannelField
            eventId={eventId}
            value={channel}
            error={errors.channel}
            onChange={(value) => change({ channel: value })}
          />
          {search.from ? (
            <UnreachedField
              unreached={unreached.data}
              error={unreached.error}
              again={() => unreached.refetch()}
              onClear={() => change({ from: undefined })}
            />
          ) : (
            <AudienceField eventId={eventId} search={search} onChange={change} />
          )}
          <OwnText
            form={form}
            isAlone={kind === 'message'}
            withSubject={channel === 'mail'}
            open={open}
            onOpen={setOpen}
            errors={errors}
          />
          <Stack gap="md">
            <Input.Wrapper label={say('when')} labelElement="div" size="md">
              <SegmentedControl
                fullWidth
                mt={4}
                aria-label={say('when')}
                value={draft.isLater ? 'later' : 'now'}
                onChange={(value) => form.setFieldValue('isLater', value === 'later')}
                data={[
                  { value: 'now', label: say('now') },
                  { value: 'later', label: say('later') },
                ]}
              />
            </Input.Wrapper>
            {draft.isLater && <SendAt form={form} guestsLanguage={event.language_pref} error={errors.date} />}
          </Stack>
        </Stack>
      </Card>
      <div className={classes.preview}>
        <Preview
          preview={preview}
          error={triedField && triedField in draft ? undefined : dryRun.error}
          hint={missing && say(missing === 'message' ? 'wordless' : 'pickBoth')}
          again={() => dryRun.refetch()}
        />
      </div>
      <Stack gap="md">
        <ProblemNote error={elsewhere} />
        <Group>
          <Button type="submit" size="lg" loading={send.isPending} disabled={!isSeen}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Default kind: the invitation before the event, else the first one. */
const usualOf = (kinds: readonly RoundKind[]): RoundKind =>
  kinds.find((kind) => kind === 'invitation') ?? kinds[0] ?? 'message';
