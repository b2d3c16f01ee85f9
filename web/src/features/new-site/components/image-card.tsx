import { Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Application, PlanForecast } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { shortDigest } from '../../sites/api/describe-deployment.ts';
import { useChangeSite } from '../api/new-site.ts';
import { words } from '../words.ts';
import { RegistryLogin } from './registry-login.tsx';

interface ImageCardProps {
  name: string;
  site: Application;
  image: string;
  forecast: PlanForecast | undefined;
  isLooking: boolean;
}

const FIELDS = ['image', 'registry_user', 'registry_password'];

/** Image of a new site and the login at its registry. A change is looked at again at once. */
export function ImageCard({ name, site, image: stored, forecast, isLooking }: ImageCardProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const change = useChangeSite(name);
  const [image, setImage] = useState(stored);
  const [login, setLogin] = useState({ user: site.registry_user ?? '', password: '' });
  const problem = change.error ? problemOf(change.error, language) : undefined;
  const complaintAt = (field: string) => (problem?.field === field ? problem.complaint : undefined);
  const digest = forecast?.plan?.image?.digest;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { user, password } = login;
    change.mutate({
      image: image.trim(),
      ...(user !== (site.registry_user ?? '') && { registry_user: user || null }),
      ...(password && { registry_password: password }),
    });
  };
  return (
    <Card title={say('image')}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={say('imageName')}
            styles={{ input: { direction: 'ltr', textAlign: 'start' } }}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={image}
            error={complaintAt('image')}
            onChange={({ currentTarget }) => setImage(currentTarget.value)}
          />
          {digest && (
            <Text size="sm" c="dimmed">
              {say('digestNow')}{' '}
              <Code dir="ltr" title={digest}>
                {shortDigest(digest)}
              </Code>
            </Text>
          )}
          <RegistryLogin
            values={login}
            onChange={setLogin}
            complaintAt={complaintAt}
            hasPassword={site.registry_user !== null}
          />
          <Text size="sm" c="dimmed">
            {say('loginAbout')}
          </Text>
          {problem && !FIELDS.includes(problem.field ?? '') && <ProblemNote error={change.error} />}
          <Button
            type="submit"
            variant="default"
            loading={change.isPending || isLooking}
            style={{ alignSelf: 'flex-start' }}
          >
            {say('saveAddress')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
