import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Person } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { useNotify } from '../../../components/notify.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useSession } from '../../sign-in/api/session.ts';
import { words as roleWords } from '../../sites/api/role-words.ts';
import { useSite } from '../../sites/api/sites.ts';
import { peopleQuery, useLeaveSite, useShareSite } from '../api/people.ts';
import classes from '../components/people.module.css';
import { words } from '../words.ts';

const SHARED_ROLES = ['look', 'deploy', 'administer'] as const;

/** Page with the people of a site and their roles. */
export function People() {
  const say = useWords(words);
  const sayRole = useWords(roleWords);
  const { name, site } = useSite();
  const { user } = useSession() ?? {};
  const { data: people, error, refetch } = useQuery(peopleQuery(name));
  const isOwner = site.role === 'owner';
  const me = people?.find(({ email }) => email === user?.email.toLowerCase());
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} about={say(isOwner ? 'about' : 'onlyOwner')} />
      <Card aria-label={say('title')}>
        <Stack gap="lg">
          {error && <ProblemNote error={error} onRetry={() => refetch()} />}
          {!people && !error && <Skeleton height={56} />}
          {people && (
            <ul className={classes.people}>
              <li className={classes.person}>
                <Text fw={500} className={classes.email}>
                  <bdi dir="ltr">{site.owner}</bdi>
                </Text>
                <Text c="dimmed">{sayRole('owner')}</Text>
              </li>
              {people.map((person) => (
                <PersonEntry key={person.id} person={person} isMine={person === me} mayChange={isOwner} />
              ))}
            </ul>
          )}
          {people?.length === 0 && <Text c="dimmed">{say('empty')}</Text>}
          {isOwner && <Invite />}
        </Stack>
      </Card>
      {!isOwner && me && <Leave me={me} />}
    </Stack>
  );
}

interface PersonEntryProps {
  person: Person;
  isMine: boolean;
  mayChange: boolean;
}

function PersonEntry({ person, isMine, mayChange }: PersonEntryProps) {
  const say = useWords(words);
  const sayRole = useWords(roleWords);
  const notify = useNotify();
  const { name } = useSite();
  const share = useShareSite(name);
  const { email, role, pending } = person;
  const remove = () =>
    share.mutate({ kind: 'remove', person }, { onSuccess: () => notify(say('ended', { who: email })) });
  return (
    <li className={classes.person}>
      <Text fw={500} className={classes.email}>
        <bdi dir="ltr">{email}</bdi>
        {isMine && ` (${say('you')})`}
      </Text>
      {pending && <ToneBadge tone="wait">{say('pending')}</ToneBadge>}
      {mayChange ? (
        <Group gap="sm" wrap="nowrap">
          <Select
            aria-label={say('roleOf', { who: email })}
            allowDeselect={false}
            className={classes.role}
            value={role}
            disabled={share.isPending}
            data={SHARED_ROLES.map((value) => ({ value, label: sayRole(value) }))}
            onChange={(value) =>
              value &&
              value !== role &&
              share.mutate({ kind: 'change', person, role: value as Person['role'] })
            }
          />
          <Button
            variant="default"
            aria-label={say('endOf', { who: email })}
            style={{ flex: 'none' }}
            loading={share.isPending}
            onClick={remove}
          >
            {say('end')}
          </Button>
        </Group>
      ) : (
        <Text c="dimmed">{sayRole(role)}</Text>
      )}
      <ProblemNote error={share.error} />
    </li>
  );
}

function Invite() {
  const say = useWords(words);
  const sayRole = useWords(roleWords);
  const notify = useNotify();
  const { language } = useLanguage();
  const { name } = useSite();
  const share = useShareSite(name);
  const form = useForm({ initialValues: { email: '', role: 'deploy' as Person['role'] } });
  const problem = share.error ? problemOf(share.error, language) : undefined;
  const isAtEmail = problem?.field === 'email';
  const submit = ({ email, role }: { email: string; role: Person['role'] }) =>
    share.mutate(
      { kind: 'invite', body: { email: email.trim(), role } },
      {
        onSuccess() {
          notify(say('invited', { who: email.trim() }));
          form.reset();
        },
      },
    );
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
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
            label={say('role')}
            allowDeselect={false}
            className={classes.role}
            data={SHARED_ROLES.map((value) => ({ value, label: sayRole(value) }))}
            {...form.getInputProps('role')}
          />
        </Group>
        <Text c="dimmed" size="sm">
          {say(`${form.values.role}About`)}
        </Text>
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

function Leave({ me }: { me: Person }) {
  const say = useWords(words);
  const navigate = useNavigate();
  const { name } = useSite();
  const leave = useLeaveSite(name);
  return (
    <Card title={say('leave')}>
      <Stack gap="sm">
        <Text c="dimmed">{say('leaveAbout')}</Text>
        <ConfirmButton
          label={say('leave')}
          keep={say('stay')}
          error={leave.error}
          isPending={leave.isPending}
          onConfirm={() =>
            leave.mutate(me, {
              onSuccess: () => void navigate({ to: '/sites', replace: true }).catch(() => {}),
            })
          }
        />
      </Stack>
    </Card>
  );
}
