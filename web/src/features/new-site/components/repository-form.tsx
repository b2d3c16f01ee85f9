import { Button, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { nameFromRepository } from '../../../lib/repository-hosts.ts';
import { siteNameOf } from '../../sites/api/sites.ts';
import { useCreateSite } from '../api/new-site.ts';
import { words } from '../words.ts';

/** Form for a site whose files come from a git repository. */
export function RepositoryForm() {
  const say = useWords(words);
  const { language } = useLanguage();
  const navigate = useNavigate();
  const create = useCreateSite();
  const [repository, setRepository] = useState('');
  const [typedName, setTypedName] = useState<string>();
  const [isTried, setTried] = useState(false);
  const name = typedName ?? nameFromRepository(repository);
  const problem = create.error ? problemOf(create.error, language) : undefined;
  const errorOf = (field: string, value: string) =>
    problem?.field === field ? problem.complaint : isTried && value.trim() === '' ? say('needed') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (repository.trim() === '' || name.trim() === '') return;
    create.mutate(
      { name: name.trim(), repository: repository.trim() },
      { onSuccess: (site) => navigate({ to: '/sites/new', search: { site: siteNameOf(site) } }) },
    );
  };
  const isElsewhere = problem && problem.field !== 'repository' && problem.field !== 'name';
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={say('address')}
          description={say('addressAbout')}
          placeholder="https://github.com/noa/wedding.git"
          dir="ltr"
          styles={{ label: { display: 'block' }, input: { textAlign: 'left' } }}
          autoComplete="off"
          spellCheck={false}
          value={repository}
          error={errorOf('repository', repository)}
          onChange={({ currentTarget }) => setRepository(currentTarget.value)}
        />
        <TextInput
          label={say('name')}
          description={say('nameAbout')}
          dir="auto"
          value={name}
          error={errorOf('name', name)}
          onChange={({ currentTarget }) => setTypedName(currentTarget.value)}
        />
        {isElsewhere && <ProblemNote error={create.error} />}
        <Button type="submit" loading={create.isPending} style={{ alignSelf: 'flex-start' }}>
          {say('goOn')}
        </Button>
      </Stack>
    </form>
  );
}
