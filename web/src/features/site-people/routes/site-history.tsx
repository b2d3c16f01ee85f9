import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ApplicationChange } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useSite } from '../../sites/api/sites.ts';
import { fieldWord, words as fieldWords } from '../api/history-fields.ts';
import { words as operationWords } from '../api/operation-words.ts';
import { siteHistoryQuery } from '../api/site-history.ts';
import classes from '../components/people.module.css';
import { words } from '../words.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Operations whose subject is a deployment. */
const ABOUT_DEPLOYMENTS: ReadonlySet<string> = new Set([
  'deploy',
  'uploadSource',
  'rollBack',
  'promote',
  'restart',
  'startSite',
  'cancelDeployment',
]);

/** Page with the history of a site: who changed what and when, newest first. */
export function SiteHistory() {
  const say = useWords(words);
  const { name } = useSite();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    siteHistoryQuery(name),
  );
  // A new line moves the last line of each page to the next page, which may then have it too.
  const lines = [
    ...new Map(data?.pages.flatMap(({ history }) => history).map((line) => [line.id, line])).values(),
  ];
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('history')} about={say('historyAbout')} />
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton height={200} radius="lg" />}
      {data && (
        <Card aria-label={say('history')}>
          <ul className={classes.lines}>
            {lines.map((line) => (
              <HistoryLine key={line.id} line={line} />
            ))}
          </ul>
        </Card>
      )}
      {hasNextPage && (
        <Button
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
          style={{ alignSelf: 'center' }}
        >
          {say('more')}
        </Button>
      )}
    </Stack>
  );
}

function HistoryLine({
  line: { at, operation, by, subject, preview, changes },
}: {
  line: ApplicationChange;
}) {
  const say = useWords(words);
  const sayOperation = useWords(operationWords);
  const what = Object.hasOwn(operationWords, operation)
    ? sayOperation(operation as keyof typeof operationWords)
    : operation;
  return (
    <li className={classes.line}>
      <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
        {what}
        <ChangeSubject operation={operation} subject={subject} />
        {preview !== null && (
          <>
            {' · '}
            <bdi dir="ltr">{preview}</bdi>
          </>
        )}
      </Text>
      {changes && (
        <ul className={classes.changes}>
          {Object.entries(changes).map(([field, change]) => (
            <li key={field}>
              <FieldName operation={operation} field={field} />
              {': '}
              <bdi dir="ltr">
                {`${isNothing(change.from) ? '' : `${textOf(change.from, say('secret'))} → `}${textOf(change.to, say('secret'))}`}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <TimeAgo at={at} />
        {' · '}
        <bdi>{by.kind === 'user' ? by.email : say(by.kind)}</bdi>
        {by.token !== null && (
          <>
            {' · '}
            <bdi>{by.token}</bdi>
          </>
        )}
        {by.address !== null && (
          <>
            {' · '}
            <bdi dir="ltr">{by.address}</bdi>
          </>
        )}
      </Text>
    </li>
  );
}

/** Name of a changed field: in words, or as people gave it. */
function FieldName({ operation, field }: { operation: string; field: string }) {
  const say = useWords(fieldWords);
  const word = fieldWord(operation, field);
  return word === undefined ? <bdi dir="ltr">{field}</bdi> : say(word);
}

/** What a change was about: a link to the log of a deployment, or a name. Other ids, such as a command's, are left out. */
function ChangeSubject({ operation, subject }: Pick<ApplicationChange, 'operation' | 'subject'>) {
  const say = useWords(words);
  const { name } = useParams({ strict: false });
  if (subject === null) return null;
  if (!UUID.test(subject)) {
    return (
      <>
        {' · '}
        <bdi dir="ltr">{subject}</bdi>
      </>
    );
  }
  if (!ABOUT_DEPLOYMENTS.has(operation)) return null;
  return (
    <>
      {' · '}
      <Anchor
        component={Link}
        to="/sites/$name/deployments/$deploymentId"
        params={{ name, deploymentId: subject } as never}
      >
        {say('deploymentLog')}
      </Anchor>
    </>
  );
}

const isNothing = (value: unknown): boolean => value === null || value === undefined;

/** Value of a field as people read it; the API has `set` in place of a secret's value. */
function textOf(value: unknown, secret: string): string {
  if (isNothing(value)) return '–';
  if (value === 'set') return secret;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
