import { Anchor, MultiSelect, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn } from 'lucide-react';
import type { GuestNumbers, Question } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { textIn } from '../../../lib/languages.ts';
import { questionsQuery, tagsQuery } from '../../guests/api/guests.ts';
import { allergiesText } from '../../guests/api/members.ts';
import { DIETS, type DietFilter } from '../../guests/api/search.ts';
import { allergicQuery, numbersQuery } from '../api/numbers.ts';
import type { QuestionSearch } from '../api/search.ts';
import { invitationsText, invitedText } from '../api/standing-texts.ts';
import { standingsOf } from '../api/standings.ts';
import { words } from '../words.ts';
import { Bars } from './bars.tsx';
import classes from './questions.module.css';

const MEALS = ['regular', ...DIETS.filter((diet) => diet !== 'allergies')] as const;

interface NumbersProps {
  eventId: string;
  search: QuestionSearch;
  onSearchChange(search: Partial<QuestionSearch>): void;
}

/** Statistics of an event: guests who come, their meals and their answers to questions. */
export function Numbers({ eventId, search, onSearchChange }: NumbersProps) {
  const say = useWords(words);
  const { tag, food } = search;
  const of = { ...(tag && { tag }), ...(food && { diet: food }) };
  const { data: numbers, error, refetch } = useQuery(numbersQuery(eventId, of));
  const { data: questions = [] } = useQuery(questionsQuery(eventId));
  const isFiltered = tag !== undefined || food !== undefined;
  if (error && !numbers) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (numbers?.guests === 0 && !isFiltered)
    return (
      <EmptyState icon={ChartNoAxesColumn} title={say('noNumbersTitle')} about={say('noNumbers')}>
        <ButtonLink to="/events/$eventId/guests" params={{ eventId }}>
          {say('toGuests')}
        </ButtonLink>
      </EmptyState>
    );
  return (
    <Stack gap="lg">
      <Filters eventId={eventId} search={search} onSearchChange={onSearchChange} />
      {numbers ? (
        <div className={classes.numbers}>
          <WhoComes numbers={numbers} />
          <Meals meals={numbers.meals} people={numbers.people} />
          <Allergies eventId={eventId} count={numbers.allergies} tag={tag} />
          <Tags tags={numbers.tags} onSearchChange={onSearchChange} />
          {numbers.questions.map((question) => (
            <Answers
              key={question.id}
              counted={question}
              question={questions.find(({ id }) => id === question.id)}
            />
          ))}
        </div>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Skeleton height={220} radius="lg" />
          <Skeleton height={220} radius="lg" />
        </SimpleGrid>
      )}
    </Stack>
  );
}

function Filters({ eventId, search: { tag = [], food = [] }, onSearchChange }: NumbersProps) {
  const say = useWords(words);
  const { data: tags = [] } = useQuery(tagsQuery(eventId));
  const common = {
    size: 'md',
    clearable: true,
    clearButtonProps: { 'aria-label': say('clear') },
    nothingFoundMessage: say('nothingFound'),
    maxDropdownHeight: 300,
  } as const;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <MultiSelect
        {...common}
        label={say('tags')}
        placeholder={tag.length > 0 ? undefined : say('everybody')}
        searchable
        data={[...new Set([...tag, ...tags.map((one) => one.tag)])]}
        value={tag}
        onChange={(chosen) => onSearchChange({ tag: chosen.length > 0 ? chosen : undefined })}
      />
      <MultiSelect
        {...common}
        label={say('food')}
        placeholder={food.length > 0 ? undefined : say('everybody')}
        data={DIETS.map((diet) => ({ value: diet, label: say(diet) }))}
        value={food}
        onChange={(chosen) =>
          onSearchChange({ food: chosen.length > 0 ? (chosen as DietFilter[]) : undefined })
        }
      />
    </SimpleGrid>
  );
}

function WhoComes({ numbers }: { numbers: GuestNumbers }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { people, adults, children } = numbers;
  const standings = standingsOf(numbers).filter(
    ({ name, invitations }) => name !== 'waiting' || invitations > 0,
  );
  return (
    <Card title={say('whoComes')}>
      <Text fz={28} fw={600} lh={1.2} mb={people > 0 ? 4 : 'md'} aria-live="polite">
        {say('people', { n: people })}
      </Text>
      {people > 0 && (
        <Text mb="md">
          {say('adults')}: {formatNumber(adults, language)} · {say('children')}:{' '}
          {formatNumber(children, language)}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm" component="dl" m={0}>
        {standings.map((standing) => (
          <div key={standing.name}>
            <Text component="dt" size="sm" c="dimmed">
              {say(standing.name)}
            </Text>
            <Text component="dd" m={0} fw={600} fz="lg">
              {say('peopleN', { n: standing.people })}
            </Text>
            <Text component="dd" m={0} size="sm" c="dimmed">
              {invitationsText(standing, language)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <Text mt="sm">{invitedText(numbers, language)}</Text>
    </Card>
  );
}

/** Numbers of regular meals, and of meals for each diet that some guest has. */
function Meals({ meals, people }: { meals: GuestNumbers['meals']; people: number }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <Card title={say('meals')}>
      <Bars
        most={Math.max(1, people)}
        bars={MEALS.filter((meal) => meal === 'regular' || meals[meal] > 0).map((meal) => ({
          key: meal,
          label: say(meal),
          value: meals[meal],
          valueText: formatNumber(meals[meal], language),
        }))}
      />
    </Card>
  );
}

function Allergies({ eventId, count, tag }: { eventId: string; count: number; tag: string[] | undefined }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data, error, refetch } = useQuery(allergicQuery(eventId, tag));
  return (
    <Card title={say('allergies')}>
      {error && !data && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data?.total === 0 && <Text c="dimmed">{say('noAllergies')}</Text>}
      {data && data.total > 0 && (
        <Stack gap="sm">
          <ul className={classes.plain}>
            {data.guests.map((guest) => (
              <li key={guest.id} className={classes.row}>
                <Anchor
                  c="var(--mantine-color-text)"
                  fw={500}
                  renderRoot={(props) => (
                    <Link
                      to="/events/$eventId/guests"
                      params={{ eventId }}
                      search={{ guest: guest.id }}
                      {...props}
                    />
                  )}
                >
                  <bdi>{guest.name}</bdi>
                </Anchor>
                <Text size="sm" ta="end">
                  <bdi>{allergiesText(guest, language)}</bdi>
                </Text>
              </li>
            ))}
          </ul>
          {count > data.guests.length && (
            <Anchor
              py={10}
              renderRoot={(props) => (
                <Link
                  to="/events/$eventId/guests"
                  params={{ eventId }}
                  search={{ food: ['allergies'], answer: ['confirmed'], tag }}
                  {...props}
                />
              )}
            >
              {say('allInList')}
            </Anchor>
          )}
        </Stack>
      )}
    </Card>
  );
}

/** Number of confirmed guests for each tag. A click on a tag filters the statistics. */
function Tags({
  tags,
  onSearchChange,
}: {
  tags: GuestNumbers['tags'];
  onSearchChange: NumbersProps['onSearchChange'];
}) {
  const say = useWords(words);
  const { language } = useLanguage();
  const named = tags.filter(({ tag }) => tag !== null);
  if (named.length === 0) return null;
  return (
    <Card title={say('byTag')}>
      <Bars
        most={Math.max(1, ...tags.map(({ invited }) => invited))}
        bars={tags.map(({ tag, people, invited }) => ({
          key: tag ?? '',
          label:
            tag === null ? (
              say('withoutTag')
            ) : (
              <Anchor
                component="button"
                type="button"
                c="var(--mantine-color-text)"
                onClick={() => onSearchChange({ tag: [tag] })}
              >
                <bdi>{tag}</bdi>
              </Anchor>
            ),
          value: people,
          valueText: say('ofInvited', {
            n: formatNumber(people, language),
            of: formatNumber(invited, language),
          }),
        }))}
      />
    </Card>
  );
}

interface AnswersProps {
  counted: GuestNumbers['questions'][number];
  /** Question with its text in all languages. The statistics contain the text only in the event's language. */
  question: Question | undefined;
}

function Answers({ counted, question }: AnswersProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { kind, answered, sum, options = [] } = counted;
  const textOf = (id: string, otherwise: string) => {
    const option = question?.options.find((one) => one.id === id);
    return option ? textIn(option.text, language) : otherwise;
  };
  return (
    <Card>
      <Title order={2} size="h4" mb="md">
        <bdi>{question ? textIn(question.text, language) : counted.text}</bdi>
      </Title>
      <Stack gap="sm">
        {kind === 'choice' && (
          <Bars
            most={Math.max(1, answered)}
            bars={options.map(({ id, text: label, guests, people }) => ({
              key: id,
              label: <bdi>{textOf(id, label)}</bdi>,
              value: guests,
              valueText: formatNumber(guests, language),
              ...(people > 0 && { note: `(${say('peopleN', { n: people })})` }),
            }))}
          />
        )}
        {kind === 'number' && (
          <Text fz="xl" fw={600}>
            {say('inAll', { n: formatNumber(sum ?? 0, language) })}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {say('answered', { n: answered })}
        </Text>
        {kind === 'text' && answered > 0 && (
          <Text size="sm" c="dimmed">
            {say('inWords')}
          </Text>
        )}
      </Stack>
    </Card>
  );
}
