import { NumberInput, type NumberInputProps } from '@mantine/core';
import { formatShekels } from '../lib/dates.ts';
import { useLanguage } from '../lib/language-context.tsx';

/** Input for an amount in new shekels. The currency sign stands on the side that is usual in the page's language. */
export function AmountInput(props: NumberInputProps) {
  const { language } = useLanguage();
  const isBefore = formatShekels(1, language).startsWith('₪');
  return (
    <NumberInput
      {...(isBefore ? { prefix: '₪' } : { suffix: ' ₪' })}
      min={0}
      decimalScale={2}
      allowNegative={false}
      thousandSeparator=","
      dir="ltr"
      hideControls
      {...props}
    />
  );
}
