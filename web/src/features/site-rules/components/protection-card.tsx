import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SiteRules } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useChangeRules } from '../api/rules.ts';
import { words } from '../words.ts';
import { ScopeChoice } from './maintenance-card.tsx';

/** Form for the name and the password that a site or its previews ask visitors for. */
export function ProtectionCard({ name, rules }: { name: string; rules: SiteRules }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notify = useNotify();
  const change = useChangeRules(name);
  const [protection, setProtection] = useState(rules.protection);
  const [username, setUsername] = useState(rules.username ?? '');
  const [password, setPassword] = useState('');
  const problem = change.error ? problemOf(change.error, language) : undefined;
  const complaintAt = (field: string) => problem?.field === field && problem.complaint;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const login =
      protection === 'off' ? {} : { username: username.trim() || null, ...(password !== '' && { password }) };
    change.mutate(
      { protection, ...login },
      {
        onSuccess() {
          setPassword('');
          notify(say('saved'));
        },
      },
    );
  };
  return (
    <Card title={say('protection')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text>{say('protectionAbout')}</Text>
          <ScopeChoice label={say('where')} value={protection} onChange={setProtection} />
          {protection !== 'off' && (
            <>
              <TextInput
                label={say('username')}
                dir="ltr"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                required
                maxLength={100}
                value={username}
                onChange={({ currentTarget }) => setUsername(currentTarget.value)}
                error={complaintAt('username')}
              />
              <PasswordInput
                label={say('password')}
                description={say(rules.has_password ? 'passwordKept' : 'passwordAbout')}
                size="md"
                dir="ltr"
                autoComplete="new-password"
                required={!rules.has_password}
                maxLength={200}
                value={password}
                onChange={({ currentTarget }) => setPassword(currentTarget.value)}
                error={complaintAt('password')}
              />
            </>
          )}
          {!problem?.field && <ProblemNote error={change.error} />}
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            {say('save')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
