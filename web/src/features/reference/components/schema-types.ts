import type { Schema } from '../api/description.ts';

/** Type of a JSON schema in the notation of code: `string (uuid) | null`, `array of object`. */
export function typeOf(schema: Schema, resolve: (one: Schema) => Schema): string {
  const { type, format, enum: values, const: only, items, anyOf, oneOf, properties } = resolve(schema);
  if (only !== undefined) return JSON.stringify(only);
  const several = anyOf ?? oneOf;
  if (several) return [...new Set(several.map((one) => typeOf(one, resolve)))].join(' | ');
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const names = [type ?? (properties ? 'object' : 'any')].flat();
  const named = names
    .map((name) => (name === 'array' && items ? `array of ${typeOf(items, resolve)}` : name))
    .join(' | ');
  return format ? `${named} (${format})` : named;
}

/** Limits of a JSON schema besides its type: `1 to 200, default 20`. */
export function limitsOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  maxItems,
  default: usual,
}: Schema): string {
  const between = (least: number | undefined, most: number | undefined, unit = '') => {
    if (least === undefined && most === undefined) return '';
    if (least === undefined) return `at most ${most}${unit}`;
    return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
  };
  return [
    between(minimum, maximum),
    between(minLength, maxLength, ' characters'),
    between(undefined, maxItems, ' items'),
    usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * Fields of an object, of the items of an array, or of the options of a choice. The API reference lists these fields
 * below it.
 */
export function fieldsWithin(
  schema: Schema,
  resolve: (one: Schema) => Schema,
): { name: string; schema: Schema; isRequired: boolean }[] {
  const { properties, required = [], items, anyOf, oneOf, allOf } = resolve(schema);
  if (properties)
    return Object.entries(properties).map(([name, one]) => ({
      name,
      schema: one,
      isRequired: required.includes(name),
    }));
  if (items) return fieldsWithin(items, resolve);
  return (allOf ?? anyOf ?? oneOf ?? []).flatMap((one) => fieldsWithin(one, resolve));
}

/** Generates a sample value for a JSON schema without an example. */
export function sampleOf(schema: Schema, resolve: (one: Schema) => Schema, depth = 0): unknown {
  const {
    type,
    enum: values,
    const: only,
    default: usual,
    items,
    anyOf,
    oneOf,
    format,
    properties,
  } = resolve(schema);
  if (usual !== undefined) return usual;
  if (only !== undefined) return only;
  if (values) return values[0];
  const first = (anyOf ?? oneOf)?.[0];
  if (first) return sampleOf(first, resolve, depth);
  if (properties && depth < 3)
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, sampleOf(one, resolve, depth + 1)]),
    );
  switch ([type].flat()[0]) {
    case 'array':
      return items && depth < 3 ? [sampleOf(items, resolve, depth + 1)] : [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'object':
      return {};
    default:
      return format === 'date-time' ? '2027-06-15T19:30' : '…';
  }
}
