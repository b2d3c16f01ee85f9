import { ActionIcon, Button, Group, Text, Title } from '@mantine/core';
import { Cpu, MemoryStick, Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { ForRole } from '../../../components/for-role.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { type Tone, ToneBadge } from '../../../components/tone-badge.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import { MOST_REPLICAS, type Replica, type SiteProcess, type Usage, useScale } from '../api/processes.ts';
import { words } from '../words.ts';
import classes from './processes.module.css';

interface ProcessEntryProps {
  siteName: string;
  process: SiteProcess;
  isSiteStopped: boolean;
  usage: Usage | undefined;
}

/** Process of a site: its command, what it uses, its replicas, and the control of their number. */
export function ProcessEntry({ siteName, process, isSiteStopped, usage }: ProcessEntryProps) {
  const say = useWords(words);
  const { name, command, replicas } = process;
  return (
    <li className={classes.entry}>
      <div className={classes.text}>
        <Group gap="sm">
          <Title order={3} size="h5" className={classes.code}>
            <bdi dir="ltr">{name}</bdi>
          </Title>
          <ProcessState process={process} isSiteStopped={isSiteStopped} />
        </Group>
        <code className={classes.command} dir="ltr">
          {command || say('ownCommand')}
        </code>
        {usage && replicas.length > 0 && <UsageLine usage={usage} />}
        {replicas.length > 0 && (
          <ul className={classes.replicas}>
            {replicas.map((replica) => (
              <ReplicaLine key={replica.number} process={name} replica={replica} />
            ))}
          </ul>
        )}
      </div>
      <ForRole atLeast="deploy">
        <Scale key={process.wanted} siteName={siteName} process={process} />
      </ForRole>
    </li>
  );
}

function ProcessState({ process, isSiteStopped }: Pick<ProcessEntryProps, 'process' | 'isSiteStopped'>) {
  const say = useWords(words);
  const { wanted, replicas } = process;
  const running = replicas.filter(({ state }) => state === 'running').length;
  if (isSiteStopped || wanted === 0) return <ToneBadge tone="quiet">{say('stopped')}</ToneBadge>;
  if (running === wanted && replicas.length === wanted)
    return <ToneBadge tone="good">{say('running', { n: running })}</ToneBadge>;
  const isDown = running === 0 && replicas.some(({ state }) => state === 'down');
  return (
    <ToneBadge tone={isDown ? 'bad' : 'wait'}>
      {isDown ? say('down') : say('someRunning', { n: running, of: wanted })}
    </ToneBadge>
  );
}

const formatMemory = (bytes: number, language: Language): string => {
  const isLarge = bytes >= 1_000_000_000;
  return new Intl.NumberFormat(LANGUAGES[language].locale, {
    style: 'unit',
    unit: isLarge ? 'gigabyte' : 'megabyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(bytes / (isLarge ? 1_000_000_000 : 1_000_000));
};

const formatShare = (share: number, language: Language): string =>
  new Intl.NumberFormat(LANGUAGES[language].locale, {
    style: 'percent',
    maximumFractionDigits: share < 0.1 ? 1 : 0,
  }).format(share);

function UsageLine({ usage: { memoryBytes, processors } }: { usage: Usage }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <Group gap="4px 16px" fz="sm">
      <span className={classes.fact}>
        <MemoryStick size={16} aria-hidden /> {say('memory')} <b>{formatMemory(memoryBytes, language)}</b>
      </span>
      <span className={classes.fact}>
        <Cpu size={16} aria-hidden /> {say('processor')} <b>{formatShare(processors, language)}</b>
      </span>
    </Group>
  );
}

const REPLICA_TONES: Readonly<Record<Replica['state'], Tone>> = {
  running: 'good',
  starting: 'wait',
  down: 'bad',
};

function ReplicaLine({ process, replica }: { process: string; replica: Replica }) {
  const say = useWords(words);
  const { number, state, since, restarts, reason } = replica;
  return (
    <li>
      <span className={classes.dot} data-tone={REPLICA_TONES[state]} aria-hidden />
      <bdi dir="ltr" className={classes.code}>
        {`${process}.${number}`}
      </bdi>
      <span>{say(`replica_${state}`)}</span>
      {since && (
        <Text span c="dimmed" inherit>
          <TimeAgo at={since} />
        </Text>
      )}
      {restarts > 0 && (
        <Text span c="dimmed" inherit>
          {say('restarts', { n: restarts })}
        </Text>
      )}
      {reason && (
        <Text span c="var(--mantine-color-error)" inherit className={classes.reason}>
          {reason}
        </Text>
      )}
    </li>
  );
}

/** Stepper for the number of replicas of a process. A chosen number applies only once it is confirmed. */
function Scale({ siteName, process: { name, wanted } }: { siteName: string; process: SiteProcess }) {
  const say = useWords(words);
  const scale = useScale(siteName);
  const [count, setCount] = useState(wanted);
  const isChosen = count !== wanted;
  return (
    <div className={classes.scale}>
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" c="dimmed" aria-hidden>
          {say('replicas')}
        </Text>
        <Group
          gap={0}
          wrap="nowrap"
          role="group"
          aria-label={say('replicasOf', { name })}
          className={classes.stepper}
        >
          <ActionIcon aria-label={say('fewer')} disabled={count === 0} onClick={() => setCount(count - 1)}>
            <Minus size={18} aria-hidden />
          </ActionIcon>
          <output className={classes.count}>{count}</output>
          <ActionIcon
            aria-label={say('more')}
            disabled={count === MOST_REPLICAS}
            onClick={() => setCount(count + 1)}
          >
            <Plus size={18} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {isChosen && (
        <Group gap="xs">
          <Button
            size="sm"
            h={44}
            loading={scale.isPending}
            onClick={() => scale.mutate({ process: name, count })}
          >
            {count === 0 ? say('stopProcess') : say('scaleTo', { n: count })}
          </Button>
          <Button size="sm" h={44} variant="default" onClick={() => setCount(wanted)}>
            {say('cancel')}
          </Button>
        </Group>
      )}
      {isChosen && count === 0 && name === 'web' && (
        <Text size="sm" role="status">
          {say('noWeb')}
        </Text>
      )}
      <ProblemNote error={scale.error} />
    </div>
  );
}
