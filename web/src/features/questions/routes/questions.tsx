import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MessageCircleQuestionMark, Plus } from 'lucide-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SectionNav } from '../../../components/section-nav.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF } from '../../../lib/languages.ts';
import { useMayEdit } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';
import { questionsQuery } from '../../guests/api/guests.ts';
import { useLiveNumbers } from '../api/live.ts';
import { MOST_QUESTIONS } from '../api/questions.ts';
import { type QuestionSearch, VIEWS } from '../api/search.ts';
import { CateringReport } from '../components/catering-report.tsx';
import { Numbers } from '../components/numbers.tsx';
import { NewQuestion, QuestionDetails } from '../components/question-details.tsx';
import { QuestionList } from '../components/question-list.tsx';
import classes from '../components/questions.module.css';
import { StandardQuestions } from '../components/standard-questions.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/questions');

/** Page with the questions to guests, the statistics and the catering report. */
export function QuestionsAndMeals() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  useLiveNumbers(eventId);
  const changeSearch = (change: Partial<QuestionSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const view = search.view ?? 'questions';
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} />
      <SectionNav
        label={say('view')}
        open={view}
        parts={VIEWS.map((name) => ({
          name,
          label: say(`view_${name}`),
          search: name === 'questions' ? {} : { view: name },
        }))}
      />
      {view === 'questions' && (
        <Questions eventId={eventId} open={search.question} onSearchChange={changeSearch} />
      )}
      {view === 'numbers' && <Numbers eventId={eventId} search={search} onSearchChange={changeSearch} />}
      {view === 'caterer' && (
        <CateringReport
          eventId={eventId}
          language={search.language ?? CODE_OF[event.language_pref]}
          onLanguage={(language) => changeSearch({ language })}
        />
      )}
    </Stack>
  );
}

interface QuestionsProps {
  eventId: string;
  open: string | undefined;
  onSearchChange(search: Partial<QuestionSearch>): void;
}

function Questions({ eventId, open, onSearchChange }: QuestionsProps) {
  const say = useWords(words);
  const mayEdit = useMayEdit(eventId);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { data: questions, error, refetch } = useQuery(questionsQuery(eventId));
  const one = {
    eventId,
    eventLanguage: event.language_pref,
    onDone: () => onSearchChange({ question: undefined }),
  };
  const isEmpty = questions?.length === 0;
  const isFull = questions !== undefined && questions.length >= MOST_QUESTIONS;
  const add = () => onSearchChange({ question: 'new' });
  return (
    <Stack gap="lg" className={classes.page}>
      <Stack gap="sm">
        {!isEmpty && (
          <Group justify="space-between">
            <Title order={2} size="h4">
              {say('own')}
            </Title>
            {mayEdit && !isFull && (
              <Button leftSection={<Plus size={20} aria-hidden />} onClick={add}>
                {say('add')}
              </Button>
            )}
          </Group>
        )}
        {mayEdit && isFull && <Text c="dimmed">{say('atMost')}</Text>}
        {error && !questions && <ProblemNote error={error} onRetry={() => refetch()} />}
        {!questions && !error && <Skeleton height={240} radius="lg" />}
        {isEmpty && (
          <EmptyState icon={MessageCircleQuestionMark} title={say('emptyTitle')} about={say('empty')}>
            {mayEdit && (
              <Button size="lg" onClick={add}>
                {say('add')}
              </Button>
            )}
          </EmptyState>
        )}
        {questions && !isEmpty && <QuestionList eventId={eventId} questions={questions} mayEdit={mayEdit} />}
      </Stack>
      <StandardQuestions eventId={eventId} mayEdit={mayEdit} />
      <SideSheet
        opened={mayEdit && open !== undefined}
        onClose={one.onDone}
        title={say(open === 'new' ? 'newTitle' : 'changeTitle')}
      >
        {open === 'new' && <NewQuestion {...one} />}
        {open && open !== 'new' && <QuestionDetails key={open} questionId={open} {...one} />}
      </SideSheet>
    </Stack>
  );
}
