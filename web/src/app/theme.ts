import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** Wine red of the guests' pages and of mail. The darker shades carry white text, the lighter ones dark text. */
const wine: MantineColorsTuple = [
  '#fcf0f5',
  '#f6dbe6',
  '#efb8cf',
  '#f08ab4',
  '#d9608f',
  '#c0447a',
  '#ab3567',
  '#9c2f5b',
  '#7f2449',
  '#5f1936',
] as unknown as MantineColorsTuple;

/** Warm greys from the palette of the guests' pages, for the Mantine colors named dark and gray. */
const dusk: MantineColorsTuple = [
  '#f3ecf4',
  '#dcd2df',
  '#b7abbd',
  '#94889b',
  '#5f5364',
  '#463b49',
  '#332b36',
  '#262028',
  '#1b161d',
  '#120e13',
] as unknown as MantineColorsTuple;
const sand: MantineColorsTuple = [
  '#fffaf3',
  '#f8f1e8',
  '#efe5da',
  '#e3d8cc',
  '#cdbfb4',
  '#8d8291',
  '#6f6475',
  '#564b5d',
  '#3d3344',
  '#2b2230',
] as unknown as MantineColorsTuple;

const FONT = '"Rubik Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif';

/**
 * Resolves the colors of components to CSS variables, which have one value for the light and one for the dark color
 * scheme. A color that is computed once would fit only one of the schemes.
 */
const variantColors: VariantColorsResolver = (input) => {
  const usual = defaultVariantColorsResolver(input);
  const name = input.color ?? 'wine';
  const tone = new Map([
    ['wine', 'accent'],
    ['red', 'danger'],
  ]).get(name);
  if (!tone) return usual;
  const strong = `var(--simcha-${tone})`;
  if (input.variant === 'filled')
    return {
      ...usual,
      background: strong,
      hover: `var(--simcha-${tone}-hover)`,
      color: `var(--simcha-on-${tone})`,
    };
  if (input.variant === 'light' || input.variant === 'subtle') return { ...usual, color: strong };
  return usual;
};

export const theme = createTheme({
  primaryColor: 'wine',
  primaryShade: { light: 7, dark: 3 },
  variantColorResolver: variantColors,
  colors: { wine, dark: dusk, gray: sand },
  black: '#2b2230',
  fontFamily: FONT,
  headings: { fontFamily: FONT, fontWeight: '600' },
  defaultRadius: 'md',
  radius: { md: '0.75rem', lg: '1rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Mantine's size `md` makes every field and button large enough for a finger, which is wider than a mouse pointer.
    Anchor: { defaultProps: { underline: 'always' } },
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md', autosize: true, minRows: 3 } },
    NumberInput: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md', comboboxProps: { shadow: 'md' } } },
    // Segmented controls are as high as other form fields. Small paddings let their labels fit on a phone's screen.
    SegmentedControl: {
      defaultProps: { size: 'md' },
      styles: {
        root: { background: 'var(--simcha-track)' },
        // Each segment of a segmented control is as wide as its label needs.
        control: { display: 'grid', flex: '1 1 auto' },
        // If one label of a segmented control has two lines, labels of one line stay in the middle of the height.
        label: {
          display: 'grid',
          alignContent: 'center',
          fontSize: '0.9375rem',
          overflowWrap: 'break-word',
          paddingBlock: 6,
          paddingInline: 'clamp(7px, 2.2vw, 14px)',
        },
      },
    },
    ActionIcon: { defaultProps: { size: 44, variant: 'subtle' } },
    // Modal dialogs open below the header, which is also where notifications appear.
    Modal: { defaultProps: { yOffset: 72 } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end' } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fffaf3',
    '--mantine-color-text': '#2b2230',
    '--mantine-color-dimmed': '#6f6475',
    '--mantine-color-default-border': '#e3d8cc',
    '--mantine-color-placeholder': '#6f6475',
    '--mantine-color-error': '#8c1d14',
    '--simcha-card': '#ffffff',
    '--simcha-track': '#f6ede2',
    '--simcha-accent': '#9c2f5b',
    '--simcha-accent-hover': '#7f2449',
    '--simcha-on-accent': '#ffffff',
    '--simcha-danger': '#8c1d14',
    '--simcha-danger-hover': '#6f150e',
    '--simcha-on-danger': '#ffffff',
    '--mantine-primary-color-contrast': '#ffffff',
    '--simcha-good': '#e7f4ea',
    '--simcha-good-ink': '#1c5a2c',
    '--simcha-wait': '#fdf1d6',
    '--simcha-wait-ink': '#6b4b00',
    '--simcha-bad': '#fde8e6',
    '--simcha-bad-ink': '#8c1d14',
    '--simcha-yes': '#2f8f4e',
    '--simcha-maybe': '#d29b12',
    '--simcha-waiting': '#7a6fb0',
    '--simcha-no': '#b9574e',
  },
  dark: {
    '--mantine-color-body': '#1b161d',
    '--mantine-color-text': '#f3ecf4',
    '--mantine-color-dimmed': '#b7abbd',
    '--mantine-color-default-border': '#463b49',
    '--mantine-color-placeholder': '#b7abbd',
    '--mantine-color-error': '#ffc2bb',
    '--simcha-card': '#262028',
    '--simcha-track': '#332b36',
    '--simcha-accent': '#f08ab4',
    '--simcha-accent-hover': '#f6a5c6',
    '--simcha-on-accent': '#2b0f1c',
    '--simcha-danger': '#ffb3aa',
    '--simcha-danger-hover': '#ffc9c3',
    '--simcha-on-danger': '#3d0f0a',
    '--mantine-primary-color-contrast': '#2b0f1c',
    '--simcha-good': '#173323',
    '--simcha-good-ink': '#b4e6c2',
    '--simcha-wait': '#3b2f12',
    '--simcha-wait-ink': '#f6d98c',
    '--simcha-bad': '#43201d',
    '--simcha-bad-ink': '#ffc2bb',
    '--simcha-yes': '#5fbf7f',
    '--simcha-maybe': '#e0b84a',
    '--simcha-waiting': '#a79be0',
    '--simcha-no': '#d98078',
  },
});
