import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { coloredText, plainText, withoutColors } from './plain-text.ts';

test('colours, titles, clipboards and what moves the cursor go; what is to be read stays', () => {
  const lines = {
    '\x1b[32mgreen\x1b[0m and \x1b[1;4:3mbold\x1b[m': 'green and bold',
    '\x1b]0;a title\x07after': 'after',
    '\x1b]52;c;ZXZpbA==\x1b\\after': 'after',
    '\x1bP1$r0m\x1b\\\x1b_x\x9cafter': 'after',
    '\x1b]0;never ended': '0;never ended',
    '\x1b(B\x1b7\x1bcafter': 'after',
    '\x9b2Jafter': 'after',
    'one\rtwo\x08\x0b\x0c\x85\x7f\0': 'onetwo',
    'a\tb': 'a\tb',
    'GET /\u202etxt.exe\u2066 \u200b\u200f\u2028\u2029\ufeff\u00ad\u{e0041}': 'GET /txt.exe ',
    'שלום, עולם · مرحبا · 🎂': 'שלום, עולם · مرحبا · 🎂',
    'half of \ud83c a letter': 'half of \ufffd a letter',
  };
  for (const [line, shown] of Object.entries(lines)) assert.equal(plainText(line), shown);
});

test('whatever the line, nothing invisible is left, and nothing more goes the second time', () => {
  const unit = fc.oneof(
    fc.constantFrom('\x1b', '[', ']', ';', '0', 'm', '\x07', '\\', '\x9b', '\x9c', '\r', '\u202e', '\t', ' '),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.string({ unit }), (line) => {
      const shown = plainText(line);
      assert.doesNotMatch(shown.replaceAll('\t', ''), /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      assert.equal(plainText(shown), shown);
      const colored = coloredText(line);
      assert.equal(coloredText(colored), colored);
      const plain = withoutColors(colored);
      assert.doesNotMatch(plain.replaceAll('\t', ''), /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
    }),
  );
});
