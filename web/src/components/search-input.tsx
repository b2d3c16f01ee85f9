import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

const TYPING_MS = 250;

interface SearchInputProps {
  label: string;
  placeholder: string;
  /** Search text in the page's address. */
  q: string | undefined;
  onSearchChange(q: string | undefined): void;
}

/** Search field that starts the search after a pause in typing. */
export function SearchInput({ label, placeholder, q = '', onSearchChange }: SearchInputProps) {
  const [typed, setTyped] = useState(q);
  const [before, setBefore] = useState(q);
  if (q !== before) {
    // The address changed while the user did not type: by the back button, or because the filter was cleared.
    setBefore(q);
    if (q !== typed.trim()) setTyped(q);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the timer
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => onSearchChange(typed.trim() || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      type="search"
      dir="auto"
      leftSection={<Search size={18} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      style={{ flex: '1 1 180px' }}
    />
  );
}
