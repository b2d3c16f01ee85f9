import { Alert, Button, Collapse, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CountedEvent } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useAccess } from '../../events/api/access.ts';
import { stepPreviewQuery, useChangeEvent } from '../../events/api/events.ts';
import { words } from '../words.ts';
import { Publish } from './publish.tsx';

type Last = 'completed' | 'cancelled';

/** Card with the state of an event, what the state means, and the states that can follow. */
export function EventStatus({ event }: { event: CountedEvent }) {
  const say = useWords(words);
  const { id, status } = event;
  const [step, setStep] = useState<Last>();
  const mayChange = useAccess(id) !== 'view';
  const isOpen = mayChange && (status === 'draft' || status === 'published');
  return (
    <Card title={say('stepsTitle')}>
      <Stack gap="md">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <StateBadge state={status}>{say(status)}</StateBadge>
          <Text>{say(`${status}About`)}</Text>
        </Group>
        {isOpen && (
          <Group gap="sm">
            {status === 'draft' && <Publish event={event} />}
            {status === 'published' && (
              <Button
                variant="default"
                onClick={() => setStep('completed')}
                aria-expanded={step === 'completed'}
              >
                {say('complete')}
              </Button>
            )}
            <Button
              variant="subtle"
              color="red"
              onClick={() => setStep('cancelled')}
              aria-expanded={step === 'cancelled'}
            >
              {say('cancel')}
            </Button>
          </Group>
        )}
        <Collapse expanded={isOpen && step !== undefined}>
          {step && <FinalStep event={event} step={step} onDone={() => setStep(undefined)} />}
        </Collapse>
      </Stack>
    </Card>
  );
}

/**
 * Dialog that confirms that an event is completed or cancelled, which can't be undone. It lists the consequences in the
 * server's words.
 */
function FinalStep({ event: { id }, step, onDone }: { event: CountedEvent; step: Last; onDone(): void }) {
  const say = useWords(words);
  const { data, error, isPending } = useQuery(stepPreviewQuery(id, step));
  const change = useChangeEvent(id);
  const warnings = data?.preview?.warnings ?? [];
  return (
    <Alert color="gray" role="group" aria-label={say(step === 'completed' ? 'complete' : 'cancel')}>
      <Stack gap="sm">
        {warnings.length > 0 ? (
          <List spacing={4}>
            {warnings.map(({ code, message }) => (
              <List.Item key={code}>{message}</List.Item>
            ))}
          </List>
        ) : (
          <Text>{say('cannotUndo')}</Text>
        )}
        <ProblemNote error={error ?? change.error} />
        <Group gap="sm">
          <Button variant="default" onClick={onDone}>
            {say('keep')}
          </Button>
          <Button
            color="red"
            disabled={isPending || error !== null}
            loading={change.isPending}
            onClick={() => change.mutate({ body: { status: step } }, { onSuccess: onDone })}
          >
            {say(step === 'completed' ? 'complete' : 'cancel')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
