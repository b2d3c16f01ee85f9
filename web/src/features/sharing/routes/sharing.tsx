import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { CoOrganizer } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useAccess, useMayEdit } from '../../events/api/access.ts';
import { useSession } from '../../sign-in/api/session.ts';
import { coOrganizersQuery, useLeave, useShare } from '../api/co-organizers.ts';
import { words } from '../words.ts';
import classes from './sharing.module.css';

const route = getRouteApi('/inside/events/$eventId');
const ACCESSES = ['view', 'view_without_contacts', 'edit'] as const;

/** Page with the co-organizers of an event and their access to it. */
export function Sharing() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const access = useAccess(eventId);
  const { user } = useSession() ?? {};
  const { data: people, error, refetch } = useQuery(coOrganizersQuery(eventId));
  const isOwner = access === 'owner';
  const mayInvite = useMayEdit(eventId) && isOwner;
  const me = people?.find(({ email }) => email === user?.email.toLowerCase());
  return (
    <Stack gap="lg">
      <Card title={say('title')}>
        <Stack gap="lg">
          <Text c="dimmed">{say(mayInvite ? 'about' : isOwner ? 'cancelled' : 'onlyOwner')}</Text>
          {error && <ProblemNote error={error} onRetry={() => refetch()} />}
          {!people && !error && <Skeleton height={56} />}
          {people?.length === 0 && <Text>{say('empty')}</Text>}
          {people && people.length > 0 && (
            <ul className={classes.people}>
              {people.map((one) => (
                <Person
                  key={one.id}
                  one={one}
                  eventId={eventId}
                  isMine={one === me}
                  mayChange={mayInvite}
                  mayEnd={isOwner}
                />
              ))}
            </ul>
          )}
          {mayInvite && <Invite eventId={eventId} />}
        </Stack>
      </Card>
      {!isOwner && me && <Leave eventId={eventId} me={me} />}
    </Stack>
  );
}

interface PersonProps {
  one: CoOrganizer;
  eventId: string;
  isMine: boolean;
  mayChange: boolean;
  mayEnd: boolean;
}

function Person({ one, eventId, isMine, mayChange, mayEnd }: PersonProps) {
  const say = useWords(words);
  const notify = useNotify();
  const share = useShare(eventId);
  const { email, access } = one;
  const remove = () =>
    share.mutate({ kind: 'remove', one }, { onSuccess: () => notify(say('ended', { who: email })) });
  return (
    <li className={classes.person}>
      <Text fw={500} className={classes.email}>
        <bdi>{email}</bdi>
        {isMine && ` (${say('you')})`}
      </Text>
      <Group gap="sm" wrap="nowrap">
        {mayChange ? (
          <Select
            aria-label={say('mayOf', { who: email })}
            allowDeselect={false}
            className={classes.may}
            value={access}
            disabled={share.isPending}
            data={ACCESSES.map((value) => ({ value, label: say(value) }))}
            onChange={(value) =>
              value &&
              value !== access &&
              share.mutate({ kind: 'change', one, access: value as CoOrganizer['access'] })
            }
          />
        ) : (
          <Text c="dimmed">{say(access)}</Text>
        )}
        {mayEnd && (
          <Button
            variant="default"
            aria-label={say('endOf', { who: email })}
            style={{ flex: 'none' }}
            loading={share.isPending}
            onClick={remove}
          >
            {say('end')}
          </Button>
        )}
      </Group>
      <ProblemNote error={share.error} />
    </li>
  );
}

function Invite({ eventId }: { eventId: string }) {
  const say = useWords(words);
  const notify = useNotify();
  const { language } = useLanguage();
  const share = useShare(eventId);
  const form = useForm({ initialValues: { email: '', access: 'edit' as CoOrganizer['access'] } });
  const problem = share.error ? problemOf(share.error, language) : undefined;
  const isAtEmail = problem?.field === 'email';
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ email, access }) =>
        share.mutate(
          { kind: 'invite', body: { email: email.trim(), access } },
          {
            onSuccess() {
              notify(say('invited', { who: email.trim() }));
              form.reset();
            },
          },
        ),
      )}
    >
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <TextInput
            label={say('email')}
            type="email"
            inputMode="email"
            autoComplete="off"
            dir="ltr"
            required
            className={classes.email}
            {...form.getInputProps('email')}
            error={isAtEmail && problem.complaint}
          />
          <Select
            label={say('may')}
            allowDeselect={false}
            className={classes.may}
            data={ACCESSES.map((value) => ({ value, label: say(value) }))}
            {...form.getInputProps('access')}
          />
        </Group>
        {form.values.access === 'view_without_contacts' && (
          <Text c="dimmed" size="sm">
            {say('withoutContactsAbout')}
          </Text>
        )}
        {problem && !isAtEmail && <ProblemNote error={share.error} />}
        <Group>
          <Button type="submit" loading={share.isPending}>
            {say('invite')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Leave({ eventId, me }: { eventId: string; me: CoOrganizer }) {
  const say = useWords(words);
  const leave = useLeave(eventId);
  const navigate = useNavigate();
  const submit = () =>
    leave.mutate(me, { onSuccess: () => void navigate({ to: '/events', replace: true }).catch(() => {}) });
  return (
    <Card title={say('leave')}>
      <Stack gap="sm">
        <Text c="dimmed">{say('leaveAbout')}</Text>
        <ConfirmButton
          label={say('leave')}
          keep={say('stay')}
          error={leave.error}
          isPending={leave.isPending}
          onConfirm={submit}
        />
      </Stack>
    </Card>
  );
}
