import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { CountedEvent, Round } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { type FormDraft, focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { useNotify } from '../../../components/notify.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import type { LanguageName } from '../../../lib/languages.ts';
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
import { isByPeople, kindsFor, type RoundChannel, type RoundKind } from '../api/kinds.ts';
import { channelsQuery, unreachedQuery, useSendRound } from '../api/rounds.ts';
import type { ComposerSearch } from '../api/search.ts';
import { AudienceField } from '../components/audience-field.tsx';
import { ChannelField } from '../components/channel-field.tsx';
import { KindField } from '../components/kind-field.tsx';
import classes from '../components/messages.module.css';
import { useOpenLanguage } from '../components/open-language.ts';
import { OwnText } from '../components/own-text.tsx';
import { Preview } from '../components/preview.tsx';
import { type ComposedPreview, useRoundPreview } from '../components/round-preview.ts';
import { UnreachedField } from '../components/unreached-field.tsx';
import { WhenField } from '../components/when-field.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/messages/new');

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
  const eventId = event.id;
  const search = route.useSearch();
  const changeSearch = route.useNavigate();
  const showSent = useShowSentRound(eventId);
  const keyFor = useIdempotencyKey();
  const send = useSendRound(eventId);
  const [open, setOpen] = useOpenLanguage(event.language_pref, send.error);
  const { kinds, kind, channel, unreached, guestIds, isLoaded } = useAddressChoices(event, search);
  const { form, wasRestored, forget, startOver } = useMessageDraft(eventId, kind, open);
  const draft = form.values;
  const missing = missingFieldOf(kind, draft);
  const body = newRoundOf({ kind, channel, guestIds }, search, draft);
  const composed = useRoundPreview(eventId, { body, isReady: !missing && isLoaded, open });
  const fieldErrors = missing ? {} : composed.fieldErrors;
  const problem = useFieldProblem(form, send.error, (field) => fieldOfDraft(field, open));

  const change = (changed: ComposerSearch) =>
    changeSearch({ search: { ...search, ...changed }, replace: true, resetScroll: false }).catch(() => {});
  const submit = () =>
    send.mutate(
      { body, key: keyFor(body) },
      {
        onSuccess({ round }) {
          forget();
          showSent(round);
        },
      },
    );
  return (
    <form
      className={classes.composer}
      noValidate
      onSubmit={form.onSubmit(submit, (wrong) => focusOn(form, Object.keys(wrong)[0]))}
    >
      <Card>
        <Stack gap="xl">
          {wasRestored && <DraftNote onStartOver={startOver} />}
          <KindField
            value={kind}
            kinds={kinds}
            onChange={(chosen) => {
              if (chosen === 'thanks') form.setValues(planThanks(draft, event));
              change({ kind: chosen });
            }}
          />
          <ChannelField
            eventId={eventId}
            value={channel}
            error={fieldErrors.channel}
            onChange={(value) => change({ channel: value })}
          />
          {search.from ? (
            <UnreachedField
              unreached={unreached.data}
              error={unreached.error}
              onRetry={() => unreached.refetch()}
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
            errors={fieldErrors}
          />
          <WhenField form={form} guestsLanguage={event.language_pref} error={fieldErrors.date} />
        </Stack>
      </Card>
      <div className={classes.preview}>
        <Preview
          preview={composed.preview}
          error={composed.error}
          hint={missing && say(missing === 'message' ? 'wordless' : 'pickBoth')}
          onRetry={composed.reload}
          onLeaveOutInvited={() => change({ some: true, invited: false })}
        />
      </div>
      <Stack gap="md">
        <ProblemNote error={problem} />
        <Group>
          <SendButton
            composed={composed}
            isMissing={missing !== undefined}
            channel={channel}
            isLater={draft.isLater}
            isPending={send.isPending}
          />
        </Group>
      </Stack>
    </form>
  );
}

/** Draft of the message form. A missing text is an error at the language whose texts are open. */
function useMessageDraft(eventId: string, kind: RoundKind, open: LanguageName): FormDraft<Draft> {
  const say = useWords(words);
  return useFormDraft(`new-message-${eventId}`, EMPTY_DRAFT, (values) => {
    const missing = missingFieldOf(kind, values);
    if (!missing) return {};
    return missing === 'message' ? { [`message_${open}`]: say('wordless') } : { date: say('pickBoth') };
  });
}

/** Kind, channel and audience of the message from the page's address, as far as the event and the server allow them. */
function useAddressChoices(event: CountedEvent, search: ComposerSearch) {
  const kinds = kindsFor(event, search.kind);
  const kind = kinds.find((one) => one === search.kind) ?? usualOf(kinds);
  const { data: channels } = useQuery(channelsQuery(event.id));
  const channel: RoundChannel =
    channels?.find(({ name, open }) => open && name === search.channel)?.name ?? 'mail';
  const unreached = useQuery({ ...unreachedQuery(event.id, search.from ?? ''), enabled: !!search.from });
  const guestIds = search.from ? unreached.data?.map(({ guest_id: id }) => id) : undefined;
  const isLoaded = channels !== undefined && (!search.from || guestIds !== undefined);
  return { kinds, kind, channel, unreached, guestIds, isLoaded };
}

/** Notifies that a round was sent or scheduled and opens the round; if people send it, opens their contact list. */
function useShowSentRound(eventId: string): (round: Round) => void {
  const say = useWords(words);
  const notify = useNotify();
  const navigate = useNavigate();
  return ({ id, channel, send_at: at }) => {
    const isList = isByPeople(channel) && !at;
    notify(say(at ? 'scheduledNow' : isList ? 'listMade' : 'sentNow'));
    const to = isList ? '/events/$eventId/messages/$roundId/walk' : '/events/$eventId/messages/$roundId';
    navigate({ to, params: { eventId, roundId: id }, replace: true }).catch(() => {});
  };
}

interface SendButtonProps {
  composed: ComposedPreview;
  /** True if a required field is empty. The send button can still be pressed: it then shows that field. */
  isMissing: boolean;
  channel: RoundChannel;
  isLater: boolean;
  isPending: boolean;
}

/**
 * Button that sends the message. It requires a preview of the current values; if the preview failed, the server
 * explains its refusal.
 */
function SendButton({ composed, isMissing, channel, isLater, isPending }: SendButtonProps) {
  const say = useWords(words);
  const { preview, isCurrent, hasFailed } = composed;
  const guests = !isMissing && isCurrent && preview ? preview.chosen : undefined;
  const isAllowed = isMissing || hasFailed || (guests !== undefined && (guests > 0 || isLater));
  return (
    <Button type="submit" size="lg" loading={isPending} disabled={!isAllowed}>
      {isLater
        ? say('schedule')
        : guests
          ? say(isByPeople(channel) ? 'listOf' : 'sendTo', { n: guests })
          : say(isByPeople(channel) ? 'list' : 'send')}
    </Button>
  );
}

/** Default kind of a new message: the invitation before the event, else the first kind. */
const usualOf = (kinds: readonly RoundKind[]): RoundKind =>
  kinds.find((kind) => kind === 'invitation') ?? kinds[0] ?? 'message';
