import { Checkbox, VisuallyHidden } from '@mantine/core';
import classes from './row-checkbox.module.css';

interface RowCheckboxProps {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  onChange(isChecked: boolean): void;
}

/** Checkbox that selects a row. Its label is hidden, and it is large enough for a finger. */
export function RowCheckbox({ label, checked, indeterminate, onChange }: RowCheckboxProps) {
  return (
    <Checkbox
      size="md"
      classNames={{
        root: classes.root,
        body: classes.body,
        labelWrapper: classes.whole,
        label: classes.whole,
      }}
      label={<VisuallyHidden>{label}</VisuallyHidden>}
      checked={checked}
      indeterminate={indeterminate}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
