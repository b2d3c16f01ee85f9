import { Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords } from '../../../lib/language-context.tsx';
import { IMPORT_STEPS, type ImportStep } from '../api/import-search.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';

interface ImportStepsProps {
  eventId: string;
  step: ImportStep;
  /** True if the user can go back to this step of the import. */
  isOpen(step: ImportStep): boolean;
}

/** Navigation of the import's steps, with links to steps that can be revisited. */
export function ImportSteps({ eventId, step, isOpen }: ImportStepsProps) {
  const say = useWords(words);
  const at = IMPORT_STEPS.indexOf(step);
  return (
    <nav aria-label={say('steps')}>
      <ol className={classes.steps}>
        {IMPORT_STEPS.map((one, index) => (
          <li
            key={one}
            className={classes.step}
            data-reached={index <= at}
            aria-current={index === at ? 'step' : undefined}
          >
            {index !== at && isOpen(one) ? (
              <Link
                to="/events/$eventId/guests/import"
                params={{ eventId }}
                search={one === 'file' ? {} : { step: one }}
              >
                {say(`step_${one}`)}
              </Link>
            ) : (
              <Text span inherit>
                {index === at && <VisuallyHidden>{say('stepOf', { n: index + 1 })}: </VisuallyHidden>}
                {say(`step_${one}`)}
              </Text>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
