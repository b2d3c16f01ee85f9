import { Button, Stack, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { siteNameOf } from '../../sites/api/sites.ts';
import { nameFromImage } from '../api/image-names.ts';
import { useCreateSite } from '../api/new-site.ts';
import { words } from '../words.ts';
import { RegistryLogin } from './registry-login.tsx';

const FIELDS = ['image', 'name', 'registry_user', 'registry_password'];

/** Form for a site that runs a container image by its name. */
export function ImageForm() {
  const say = useWords(words);
  const { language } = useLanguage();
  const navigate = useNavigate();
  const create = useCreateSite();
  const [image, setImage] = useState('');
  const [typedName, setTypedName] = useState<string>();
  const [isPrivate, setPrivate] = useState(false);
  const [login, setLogin] = useState({ user: '', password: '' });
  const [isTried, setTried] = useState(false);
  const name = typedName ?? nameFromImage(image);
  const problem = create.error ? problemOf(create.error, language) : undefined;
  const complaintAt = (field: string) => (problem?.field === field ? problem.complaint : undefined);
  const errorOf = (field: string, value: string) =>
    complaintAt(field) ?? (isTried && value.trim() === '' ? say('needed') : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (image.trim() === '' || name.trim() === '') return;
    const { user, password } = login;
    create.mutate(
      {
        name: name.trim(),
        image: image.trim(),
        ...(isPrivate && user && { registry_user: user }),
        ...(isPrivate && password && { registry_password: password }),
      },
      { onSuccess: (site) => navigate({ to: '/sites/new', search: { site: siteNameOf(site) } }) },
    );
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={say('imageName')}
          description={say('imageNameAbout')}
          placeholder="ghcr.io/noa/wedding:1.4"
          dir="ltr"
          styles={{ label: { display: 'block' }, input: { textAlign: 'left' } }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={image}
          error={errorOf('image', image)}
          onChange={({ currentTarget }) => setImage(currentTarget.value)}
        />
        <TextInput
          label={say('name')}
          description={say('nameAbout')}
          dir="auto"
          value={name}
          error={errorOf('name', name)}
          onChange={({ currentTarget }) => setTypedName(currentTarget.value)}
        />
        <Switch
          size="md"
          label={say('privateImage')}
          checked={isPrivate}
          onChange={({ currentTarget }) => setPrivate(currentTarget.checked)}
        />
        {isPrivate && <RegistryLogin values={login} onChange={setLogin} complaintAt={complaintAt} />}
        {problem && !FIELDS.includes(problem.field ?? '') && <ProblemNote error={create.error} />}
        <Button type="submit" loading={create.isPending} style={{ alignSelf: 'flex-start' }}>
          {say('goOn')}
        </Button>
      </Stack>
    </form>
  );
}
