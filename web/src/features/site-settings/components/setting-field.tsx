import {
  Autocomplete,
  type InputWrapperProps,
  NativeSelect,
  PasswordInput,
  Select,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useWords } from '../../../lib/language-context.tsx';
import { isNumber, type SettingName, type SettingValues } from '../api/setting-values.ts';
import { words } from '../words.ts';
import classes from './settings.module.css';

/** Kinds of fields: `text` in any script, `code` for addresses, names and commands, `lines` of these, choices, and secrets. */
const KINDS = {
  name: 'text',
  subdomain: 'code',
  repository: 'code',
  image: 'code',
  registry_user: 'code',
  registry_password: 'secret',
  branch: 'branch',
  root: 'code',
  type: 'choice',
  node: 'code',
  install: 'code',
  build: 'code',
  start: 'code',
  publish: 'code',
  spa: 'choice',
  port: 'code',
  health_path: 'code',
  sticky: 'switch',
  time_zone: 'zone',
  watch_paths: 'lines',
  response_seconds: 'code',
  max_body_mb: 'code',
} as const satisfies Record<SettingName, string>;

const CHOICES = { type: ['auto', 'static', 'server'], spa: ['auto', 'true', 'false'] } as const;

const ORDER: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];

interface SettingFieldProps {
  form: UseFormReturnType<Partial<SettingValues>>;
  name: SettingName;
  /** Value that applies while the field is empty. */
  placeholder: string | undefined;
  /** Branches of the site's repository, as far as they are known. */
  branches: string[];
}

/** Form field of one setting of a site. */
export function SettingField({ form, name, placeholder, branches }: SettingFieldProps) {
  const say = useWords(words);
  const kind = KINDS[name];
  const texts = { label: say(name), description: say(`${name}_about`) };
  // Inputs side by side are aligned, however long their descriptions are.
  const common = { ...texts, inputWrapperOrder: ORDER };

  if (kind === 'switch')
    return <Switch {...texts} size="md" {...form.getInputProps(name, { type: 'checkbox' })} />;
  if (kind === 'choice') {
    const choices = CHOICES[name as keyof typeof CHOICES];
    return (
      <NativeSelect
        {...common}
        size="md"
        data={choices.map((value) => ({ value, label: say(`${name as 'type'}_${value as 'auto'}`) }))}
        {...form.getInputProps(name)}
      />
    );
  }
  if (kind === 'zone')
    return (
      <Select
        {...common}
        dir="ltr"
        searchable
        allowDeselect={false}
        limit={50}
        data={zonesWith(String(form.values.time_zone ?? ''))}
        {...form.getInputProps(name)}
      />
    );
  if (kind === 'branch')
    return (
      <Autocomplete
        {...common}
        size="md"
        dir="ltr"
        className={classes.code}
        limit={50}
        data={branches}
        {...form.getInputProps(name)}
      />
    );
  if (kind === 'lines')
    return (
      <Textarea
        {...common}
        size="md"
        dir="ltr"
        autosize
        minRows={2}
        maxRows={10}
        className={classes.code}
        placeholder={form.values.root ? `${form.values.root}/**` : '**'}
        spellCheck={false}
        {...form.getInputProps(name)}
      />
    );
  if (kind === 'secret')
    return <PasswordInput {...common} size="md" autoComplete="new-password" {...form.getInputProps(name)} />;
  const isCode = kind === 'code';
  return (
    <TextInput
      {...common}
      dir={isCode ? 'ltr' : 'auto'}
      className={isCode ? classes.code : undefined}
      placeholder={placeholder}
      spellCheck={!isCode}
      autoComplete="off"
      {...(isCode && { autoCapitalize: 'off' })}
      {...(isNumber(name) && { inputMode: 'numeric' as const })}
      {...form.getInputProps(name)}
    />
  );
}

/** Names of time zones that the browser knows, with the chosen one. */
function zonesWith(zone: string): string[] {
  const zones = Intl.supportedValuesOf('timeZone');
  return zone === '' || zones.includes(zone) ? zones : [zone, ...zones];
}
