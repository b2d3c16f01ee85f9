import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Languages } from 'lucide-react';
import { useLanguage, useWords } from '../lib/language-context.tsx';
import { LANGUAGES, type Language } from '../lib/languages.ts';
import classes from './language-menu.module.css';
import { words } from './words.ts';

/** Changes the console's language and reloads all queries, since some of the server's texts depend on the language. */
export function useChangeLanguage(): (chosen: Language) => void {
  const { choose } = useLanguage();
  const queries = useQueryClient();
  return (chosen) => {
    choose(chosen);
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' }).catch(() => {});
  };
}

export function LanguageMenu() {
  const say = useWords(words);
  const { language } = useLanguage();
  const change = useChangeLanguage();
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          px="sm"
          leftSection={<Languages size={20} aria-hidden />}
          classNames={{ section: classes.icon, label: classes.name }}
          aria-label={`${say('language')}: ${LANGUAGES[language].name}`}
        >
          {LANGUAGES[language].name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(LANGUAGES).map(([code, { name, dir }]) => (
          <Menu.Item
            key={code}
            lang={code}
            dir={dir}
            fw={code === language ? 600 : 400}
            aria-current={code === language || undefined}
            onClick={() => change(code as Language)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
