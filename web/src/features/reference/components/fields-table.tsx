import type { ReactNode } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import type { Description, Schema } from '../api/description.ts';
import { words } from '../words.ts';
import { WithInlineCode } from './inline-code.tsx';
import classes from './reference.module.css';
import { fieldsWithin, limitsOf, typeOf } from './schema-types.ts';

interface FieldsProps {
  fields: { name: string; schema: Schema; isRequired: boolean; note?: string | undefined }[];
  resolve: Description['resolve'];
  depth?: number;
}

/** Maximum depth of nested fields that the API reference lists. No response of the API is deeper. */
const DEEPEST = 4;

/**
 * List of an object's fields in the API reference, with types and descriptions. The fields of a field are folded below
 * it.
 */
export function Fields({ fields, resolve, depth = 0 }: FieldsProps): ReactNode {
  const say = useWords(words);
  return (
    <ul className={classes.fields} dir="ltr">
      {fields.map(({ name, schema, isRequired, note }) => {
        const { description } = resolve(schema);
        const limits = limitsOf(resolve(schema));
        const within = depth < DEEPEST ? fieldsWithin(schema, resolve) : [];
        return (
          <li key={`${note ?? ''} ${name}`} className={classes.field}>
            <code className={classes.name}>{name}</code>{' '}
            <span className={classes.type}>{typeOf(schema, resolve)}</span>
            {note && <span className={classes.type}> {note}</span>}
            {limits && <span className={classes.type}> · {limits}</span>}
            {isRequired && (
              <>
                {' '}
                <bdi className={classes.required}>{say('required')}</bdi>
              </>
            )}
            {description && (
              <p className={classes.about}>
                <WithInlineCode>{description}</WithInlineCode>
              </p>
            )}
            {within.length > 0 && (
              <details>
                <summary>
                  <code>{name}</code> …
                </summary>
                <Fields fields={within} resolve={resolve} depth={depth + 1} />
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}
