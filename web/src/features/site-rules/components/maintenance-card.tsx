import { SegmentedControl, Stack, Text } from '@mantine/core';
import type { SiteRules } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { Note } from '../../../components/note.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { RULE_SCOPES, type RuleScope, useChangeRules } from '../api/rules.ts';
import { words } from '../words.ts';

/** Switch of the maintenance page of a site and of its previews. */
export function MaintenanceCard({ name, rules }: { name: string; rules: SiteRules }) {
  const say = useWords(words);
  const notify = useNotify();
  const { mutate, error, isPending, variables } = useChangeRules(name);
  const chosen = (isPending && variables.maintenance) || rules.maintenance;
  return (
    <Card title={say('maintenance')}>
      <Stack>
        <Text>{say('maintenanceAbout')}</Text>
        <ScopeChoice
          label={say('maintenance')}
          value={chosen}
          onChange={(maintenance) => mutate({ maintenance }, { onSuccess: () => notify(say('saved')) })}
        />
        {(chosen === 'production' || chosen === 'all') && (
          <Note>
            <Text>{say('maintenanceOn')}</Text>
          </Note>
        )}
        <ProblemNote error={error} />
      </Stack>
    </Card>
  );
}

interface ScopeChoiceProps {
  label: string;
  value: RuleScope;
  onChange(scope: RuleScope): void;
}

/** Choice of the sites to which a rule applies: the site, its previews, or both. */
export function ScopeChoice({ label, value, onChange }: ScopeChoiceProps) {
  const say = useWords(words);
  return (
    <SegmentedControl
      aria-label={label}
      value={value}
      style={{ alignSelf: 'flex-start' }}
      onChange={(scope) => onChange(scope as RuleScope)}
      data={RULE_SCOPES.map((scope) => ({ value: scope, label: say(scope) }))}
    />
  );
}
