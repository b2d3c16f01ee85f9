import { Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SiteRules } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useChangeRules } from '../api/rules.ts';
import { words } from '../words.ts';

const EXAMPLES = {
  redirects: '/menu        /dinner          302\n/news/*      /blog/:splat',
  headers: '/*\n  X-Frame-Options: DENY',
} as const;

interface RuleLinesCardProps {
  name: string;
  rules: SiteRules;
  kind: keyof typeof EXAMPLES;
}

/** Form for redirects or headers, each a text in the format of a file that static hosts know. */
export function RuleLinesCard({ name, rules, kind }: RuleLinesCardProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notify = useNotify();
  const change = useChangeRules(name);
  const [text, setText] = useState(rules[kind]);
  const problem = change.error ? problemOf(change.error, language) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ [kind]: text }, { onSuccess: () => notify(say('saved')) });
  };
  return (
    <Card title={say(kind)}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text>
            {kind === 'redirects'
              ? say('redirectsAbout', { part: ':name' })
              : say('headersAbout', { line: 'Name: value' })}
          </Text>
          <Textarea
            aria-label={say(kind)}
            dir="ltr"
            spellCheck={false}
            autoCapitalize="none"
            minRows={4}
            maxRows={16}
            maxLength={20_000}
            placeholder={EXAMPLES[kind]}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.875rem' } }}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={problem?.field === kind && problem.complaint}
          />
          {problem?.field !== kind && <ProblemNote error={change.error} />}
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            {say('save')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
