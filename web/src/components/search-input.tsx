import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

const TYPING_MS = 250;

interface SearchInputProps {
  label: string;
  placeholder: string;
  /** As the address has it. */
  q: string | undefined;
  onLook(q: string | undefined): void;
}

/** What is typed is looked for once one pauses. */
export function SearchInput({ label, placeholder, q = '', onLook }: SearchInputProps) {
  const [typed, setTyped] = useState(q);
  const [before, setBefore] = useState(q);
  if (q !== before) {
    // The address has changed by itself: back, or the filter was cleared.
    setBefore(q);
    if (q !== typed.trim()) setTyped(q);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed is waited for
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => onLook(typed.trim() || undefined), TYPING_MS);
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
