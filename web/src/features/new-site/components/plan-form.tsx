import { Badge, Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { Rocket, Variable } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Application, PlanForecast } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useOpenDeployment } from '../../sites/api/deployments.ts';
import { useDeployWith } from '../api/new-site.ts';
import {
  changesFrom,
  type Line,
  type LineValues,
  linesFor,
  linesOf,
  originOf,
  valueInImage,
} from '../api/plan-lines.ts';
import { words } from '../words.ts';

interface PlanFormProps {
  name: string;
  site: Application;
  forecast: PlanForecast;
  plan: NonNullable<PlanForecast['plan']>;
}

const LABELS = {
  type: 'kind',
  node: 'node',
  install: 'install',
  build: 'buildCommand',
  start: 'start',
  publish: 'publish',
  port: 'port',
  health_path: 'health',
} as const satisfies Record<Line, keyof typeof words>;

/** Form with the recognised plan of a site: each line can be changed, and the site is deployed with these lines. */
export function PlanForm({ name, site, forecast, plan }: PlanFormProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [before] = useState(() => linesOf(plan, site, forecast));
  const [values, setValues] = useState<LineValues>(before);
  const deploy = useDeployWith(name);
  const open = useOpenDeployment(name);
  const problem = deploy.error ? problemOf(deploy.error, language) : undefined;
  const set = (line: Line, value: string) => setValues({ ...values, [line]: value });
  const lines = linesFor({ ...plan, type: values.type === 'static' ? 'static' : 'server' });
  const placeholderOf = (line: Line) => {
    if (line === 'publish' && plan.publish.length > 1) return plan.publish.join(' | ');
    const own = valueInImage(forecast, line);
    if (own !== undefined) return own;
    if (line === 'node') return plan.node ?? 'LTS';
    return line === 'port' ? 'PORT' : say('none');
  };
  const aboutOf = (line: Line) => {
    if (valueInImage(forecast, line) !== undefined) return say('ofImage');
    if (line === 'port' && values.port === '') return say('portAbout');
    const by = originOf(forecast, line);
    return by && say('by', { by });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    deploy.mutate(changesFrom(before, values), { onSuccess: open });
  };
  return (
    <Card title={say(plan.image ? 'run' : 'build')}>
      <form noValidate onSubmit={submit}>
        <Stack gap="lg">
          <Findings forecast={forecast} plan={plan} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" style={{ alignItems: 'end' }}>
            {lines.map((line) =>
              line === 'type' ? (
                <NativeSelect
                  key={line}
                  size="md"
                  label={say('kind')}
                  description={aboutOf(line)}
                  value={values.type}
                  onChange={({ currentTarget }) => set('type', currentTarget.value)}
                  data={[
                    { value: 'static', label: say('static') },
                    { value: 'server', label: say('server') },
                  ]}
                />
              ) : (
                <LineInput
                  key={line}
                  line={line}
                  label={say(LABELS[line])}
                  description={aboutOf(line)}
                  placeholder={placeholderOf(line)}
                  value={values[line]}
                  error={problem?.field === line && problem.complaint}
                  onChange={(value) => set(line, value)}
                />
              ),
            )}
          </SimpleGrid>
          {problem && !(lines as readonly string[]).includes(problem.field ?? '') && (
            <ProblemNote error={deploy.error} />
          )}
          <Group gap="sm">
            <Button
              type="submit"
              size="lg"
              leftSection={<Rocket size={20} aria-hidden />}
              loading={deploy.isPending}
            >
              {say('deploy')}
            </Button>
            <ButtonLink
              to="/sites/$name/variables"
              params={{ name }}
              size="lg"
              variant="default"
              leftSection={<Variable size={20} aria-hidden />}
            >
              {say('variablesFirst')}
            </ButtonLink>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

interface LineInputProps {
  line: Line;
  label: string;
  description: string | undefined;
  placeholder: string;
  value: string;
  error: string | false | undefined;
  onChange(value: string): void;
}

/** Lines with commands, which may be long: their fields are as high as their text. */
const COMMANDS: ReadonlySet<Line> = new Set(['install', 'build', 'start']);

function LineInput({ line, onChange, ...props }: LineInputProps) {
  const common = {
    ...props,
    styles: { input: { direction: 'ltr', textAlign: 'start' } },
    spellCheck: false,
    autoComplete: 'off',
  } as const;
  return COMMANDS.has(line) ? (
    <Textarea
      {...common}
      autosize
      minRows={1}
      maxRows={6}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ) : (
    <TextInput
      {...common}
      inputMode={line === 'port' ? 'numeric' : 'text'}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Kinds of findings that are shown beside the lines, which have places of their own. */
const NAMED = new Set([
  'framework',
  'language',
  'version',
  'unlocked',
  'unserved',
  'development',
  'dockerfile_idle',
]);

function Findings({ forecast: { findings }, plan }: Pick<PlanFormProps, 'forecast' | 'plan'>) {
  const shown = findings.filter(({ kind }) => NAMED.has(kind));
  const others = Object.entries(plan.processes).filter(([process]) => process !== 'web');
  if (shown.length === 0 && others.length === 0) return null;
  return (
    <Group gap="xs">
      {shown.map(({ kind, said }) => (
        <Badge
          key={said}
          size="lg"
          tt="none"
          fw={500}
          h="auto"
          py={4}
          bg={kind === 'framework' ? 'var(--simcha-good)' : 'var(--simcha-track)'}
          c={kind === 'framework' ? 'var(--simcha-good-ink)' : 'var(--mantine-color-text)'}
          styles={{ label: { whiteSpace: 'normal' } }}
        >
          {said}
        </Badge>
      ))}
      {others.map(([process, command]) => (
        <Badge
          key={process}
          size="lg"
          tt="none"
          fw={500}
          h="auto"
          py={4}
          bg="var(--simcha-track)"
          c="var(--mantine-color-text)"
          dir="ltr"
          styles={{ label: { whiteSpace: 'normal' } }}
        >
          {process}: {command}
        </Badge>
      ))}
    </Group>
  );
}
