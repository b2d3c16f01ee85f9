import { Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import type { Description, Operation } from '../api/description.ts';
import { words } from '../words.ts';
import { Code } from './code.tsx';
import { commandOf, exampleBody } from './command.ts';
import { Fields } from './fields-table.tsx';
import { WithInlineCode } from './inline-code.tsx';
import classes from './reference.module.css';
import { fieldsWithin } from './schema-types.ts';
import { TryIt } from './try-it.tsx';

const COLORS: Readonly<Record<string, string>> = {
  GET: 'var(--simcha-good-ink)',
  POST: 'var(--simcha-accent)',
  PUT: 'var(--simcha-wait-ink)',
  PATCH: 'var(--simcha-wait-ink)',
  DELETE: 'var(--simcha-danger)',
};

interface OperationProps {
  operation: Operation;
  resolve: Description['resolve'];
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
}

/** Call of the API in the reference: its summary and, when it is open, all its details. */
export function OperationPart({ operation, resolve, isOpen, onToggle }: OperationProps) {
  const { operationId, method, path, summary } = operation;
  return (
    <details
      id={operationId}
      className={classes.operation}
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary dir="ltr">
        <span className={classes.method} style={{ color: COLORS[method] }}>
          {method}
        </span>
        <span className={classes.path}>{path}</span>
        <span className={classes.summary}>{summary}</span>
      </summary>
      {isOpen && <Detail operation={operation} resolve={resolve} />}
    </details>
  );
}

function Detail({ operation, resolve }: Pick<OperationProps, 'operation' | 'resolve'>) {
  const say = useWords(words);
  const { description, parameters, body, security, scopes, answers } = operation;
  const [given, setGiven] = useState<Record<string, string>>({});
  return (
    <div className={classes.detail}>
      {description && (
        <Text dir="ltr">
          <WithInlineCode>{description}</WithInlineCode>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {security.length > 0 ? say('credential', { how: security.join(' / ') }) : say('noCredential')}
        {scopes.length > 0 && ` · ${say('scopes', { scopes: scopes.join(', ') })}`}
      </Text>
      {parameters.length > 0 && (
        <section>
          <Title order={3} size="h5" mb={4}>
            {say('parameters')}
          </Title>
          <Fields
            resolve={resolve}
            fields={parameters.map(
              ({ name, in: place, required = false, schema = {}, description: about }) => ({
                name,
                isRequired: required,
                note: `in ${place}`,
                schema: { ...resolve(schema), ...(about && { description: about }) },
              }),
            )}
          />
        </section>
      )}
      {body &&
        Object.entries(body.content).map(([type, { schema = {} }]) => (
          <section key={type}>
            <Title order={3} size="h5" mb={4}>
              {say('body')} <code>{type}</code>
            </Title>
            <Fields resolve={resolve} fields={fieldsWithin(schema, resolve)} />
          </section>
        ))}
      {body && <Code title={say('example')}>{JSON.stringify(exampleBody(operation, resolve), null, 2)}</Code>}
      <Code title={say('command')}>{commandOf(operation, resolve, location.origin, given)}</Code>
      <TryIt operation={operation} resolve={resolve} given={given} onGiven={setGiven} />
      <section>
        <Title order={3} size="h5" mb={4}>
          {say('answers')}
        </Title>
        <ul className={classes.fields} dir="ltr">
          {answers.map(({ status, description: about, content }) => {
            const [schema] = Object.values(content ?? {}).map((one) => one.schema);
            const within = schema ? fieldsWithin(schema, resolve) : [];
            return (
              <li key={status} className={classes.field}>
                <code className={classes.name}>{status}</code> <WithInlineCode>{about}</WithInlineCode>
                {within.length > 0 && (
                  <details>
                    <summary>{Object.keys(content ?? {}).join(', ')}</summary>
                    <Fields fields={within} resolve={resolve} />
                  </details>
                )}
              </li>
            );
          })}
        </ul>
      </section>
    </div>
  );
}
