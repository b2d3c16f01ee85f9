import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRedactor } from './redaction.ts';
import { createSearch } from './search.ts';
import { MOST_UNITS, secretParts } from './secret-parts.ts';

test('a value is hidden as it is, in JSON, in an address, in base64', () => {
  const hide = createRedactor(['p"ss word/1']);
  const base64 = Buffer.from('p"ss word/1').toString('base64');
  const line = `p"ss word/1 ${JSON.stringify({ a: 'p"ss word/1' })} ?x=${encodeURIComponent('p"ss word/1')} ${base64}`;
  assert.equal(hide(line), '•••••• {"a":"••••••"} ?x=•••••• ••••••');
});

test('a value is hidden in every form that programs print by themselves', () => {
  const secret = `p'a"s&s<w>o/r+d שלום`;
  const hide = createRedactor([secret]);
  const ascii = (text: string, marks: RegExp) =>
    text.replace(marks, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const json = JSON.stringify(secret).slice(1, -1);
  const html = (quot: string, apos: string) =>
    secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', quot)
      .replaceAll("'", apos);
  const form = new URLSearchParams({ x: secret }).toString().slice(2);
  const forms = {
    form,
    'form in small letters': form.replace(/%../g, (one) => one.toLowerCase()),
    'address in small letters': encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase()),
    shell: secret.replaceAll("'", `'\\''`),
    'shell of Python': secret.replaceAll("'", `'"'"'`),
    hex: Buffer.from(secret).toString('hex'),
    'hex in capitals': Buffer.from(secret).toString('hex').toUpperCase(),
    'HTML by numbers': html('&#34;', '&#39;'),
    'HTML by names': html('&quot;', '&#39;'),
    'HTML in hex': html('&quot;', '&#x27;'),
    'JSON of PHP': json.replaceAll('/', '\\/'),
    'JSON of Python': ascii(json, /[^\x20-\x7e]/g),
    'JSON of Go': ascii(json, /[^\x20-\x7e]|[<>&]/g),
  };
  for (const [name, text] of Object.entries(forms)) assert.equal(hide(`x=${text};`), 'x=••••••;', name);
});

test('a value is hidden whichever of its characters are escaped', () => {
  const secret = `S3cr3t!pa/ss*word(1)$x"q'z \\ ab+c שלום 🎂~`;
  const hide = createRedactor([secret]);
  const percent = (text: string, marks: RegExp) =>
    text.replace(marks, (one) => encodeURIComponent(one).replace(/^[!'()*~]$/, byPercent));
  const escaped = (text: string, marks: RegExp) => text.replace(marks, (one) => `\\${one}`);
  const forms = {
    'quote of Python': percent(secret, /[^\w.\-~/]/gu),
    'quote_plus of Python': percent(secret, /[^\w.\-~ ]/gu).replaceAll(' ', '+'),
    'QueryEscape of Go': percent(secret, /[^\w.\-~ ]/gu).replaceAll(' ', '+'),
    'rawurlencode of PHP': percent(secret, /[^\w.\-~]/gu),
    encodeURI: encodeURI(secret),
    encodeURIComponent: encodeURIComponent(secret),
    'all of it': Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
    'in small letters': percent(secret, /[^\w]/gu).replace(/%[\dA-F]{2}/g, (one) => one.toLowerCase()),
    'printf %q of bash': escaped(secret, /[!*()$"' \\]/g),
    'declare -p of bash': escaped(secret, /[$"\\`]/g),
    'repr of Python': escaped(secret, /['\\]/g),
    'base64 in an address': encodeURIComponent(Buffer.from(secret).toString('base64')),
  };
  for (const [name, text] of Object.entries(forms)) assert.equal(hide(`x=${text};`), 'x=••••••;', name);
  assert.equal(hide(`%22${encodeURIComponent(secret)}%22 50%+5%zz C:\\new`), '%22••••••%22 50%+5%zz C:\\new');
});

function byPercent(one: string): string {
  return `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
}

test('escapes are read where they stand, and cost in proportion', { timeout: 10_000 }, () => {
  const piece = fc.constantFrom(
    'secret',
    '%73ecret',
    'secre%74',
    'se\\cret',
    '%D7%A9',
    '%D7',
    '+',
    '\\',
    'x',
    '%',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const shown = createRedactor(['secret'])(pieces.join(' '));
      const expected = pieces.map((one) => (/^s|^%7/.test(one) ? '••••••' : one)).join(' ');
      assert.equal(shown, expected);
    }),
  );
  for (const hostile of ['%', '%e2%82', '\\', '+', '%41', '\\u00e9'])
    createRedactor(['secret'])(hostile.repeat(100_000));
});

test('a long value is hidden in base64 that is broken into lines', () => {
  const secret = Array.from({ length: 30 }, (_, i) => `secret ${i} `).join('');
  for (const behind of ['', '\n']) {
    const lines =
      Buffer.from(secret.trim() + behind)
        .toString('base64')
        .match(/.{1,76}/g) ?? [];
    assert.ok(lines.length > 3);
    const hide = createRedactor([secret]);
    for (const line of lines.slice(0, -1)) assert.equal(hide(line), '••••••');
    // Remaining text of the last line: a word too short to search for, and base64 letters that the newline changes
    assert.ok(hide(lines.at(-1) ?? '').replace('••••••', '').length < 10);
  }
});

test('a value is hidden in base64 also with something before and behind it, in both alphabets', () => {
  const hide = createRedactor(['hiddensecret98765']);
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  assert.equal(hide(encoded('hiddensecret98765\n')), '••••••UK');
  assert.equal(hide(`Basic ${encoded('user:hiddensecret98765')}`), 'Basic dXNlcjp••••••Q==');
  const text = fc
    .string({ minLength: 8, maxLength: 80, unit: 'grapheme-ascii' })
    .filter((one) => one.trim() === one);
  fc.assert(
    fc.property(text, fc.string({ maxLength: 7 }), fc.string({ maxLength: 7 }), (secret, before, behind) => {
      for (const alphabet of ['base64', 'base64url'] as const) {
        const line = Buffer.from(before + secret + behind).toString(alphabet);
        const around = Buffer.byteLength(before) + Buffer.byteLength(behind);
        const shown = createRedactor([secret])(line).replaceAll('•', '').length;
        assert.ok(shown <= (around * 4) / 3 + 6, line);
      }
    }),
  );
});

test('each line of a value of several lines is hidden, in every form; the short ones are no secrets', () => {
  const hide = createRedactor(['{\n-----BEGIN "KEY"-----\r\nabcdefgh\nijklmnop\n}\n']);
  const base64 = Buffer.from('ijklmnop').toString('base64');
  assert.equal(hide(`got abcdefgh { ${base64} } -----BEGIN \\"KEY\\"-----`), 'got •••••• { •••••• } ••••••');
});

test('a short value is hidden as a word, and words that hold it stay', () => {
  const hide = createRedactor(['port', '4f2a9']);
  assert.equal(hide('the port 4f2a9 of ports 4f2a91'), 'the •••••• •••••• of ports 4f2a91');
});

test('values of ordinary settings are no secrets', () => {
  const settings = ['1', 'abc', '3100', '54321', 'true', 'false', 'production', 'development', ''];
  const line = settings.join(' ');
  assert.equal(createRedactor(settings)(line), line);
  const secrets = ['abcd', '123456', 'production1', '4 21', '-1234'];
  assert.equal(createRedactor(secrets)(secrets.join(', ')), secrets.map(() => '••••••').join(', '));
});

test('a long value is hidden whole, and as far as it is there', () => {
  const value = Array.from({ length: 40 }, (_, i) => `part ${i} 🎂`).join(', ');
  const hide = createRedactor([value]);
  assert.equal(hide(`it is ${value}.`), 'it is ••••••.');
  assert.equal(hide(value.slice(0, 128)).replace('••••••', '').length < 64, true);
});

test('no value of any length survives where it stands alone in a line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 5 }),
      fc.string(),
      (values, other) => {
        const hide = createRedactor(values);
        for (const value of values.map((one) => one.trim()).filter((one) => one.length >= 6)) {
          assert.ok(
            !hide(`${other} ${value} ${other}`.replaceAll('\n', ' ')).includes(value) ||
              /^[•\s]*$/.test(value),
          );
        }
      },
    ),
  );
});

/** Marks each occurrence of each part, one after the other, as a simple reference implementation. */
function foundOneByOne(text: string, anywhere: readonly string[], asWords: readonly string[]): string {
  const marked = new Array<boolean>(text.length).fill(false);
  const mark = (part: string, counts: (start: number) => boolean) => {
    for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + 1)) {
      if (counts(start)) marked.fill(true, start, start + part.length);
    }
  };
  for (const part of anywhere) mark(part, () => true);
  for (const part of asWords) {
    const isWord = (start: number) =>
      !/[\p{L}\p{N}_]$/u.test(text.slice(0, start)) &&
      !/^[\p{L}\p{N}_]/u.test(text.slice(start + part.length));
    mark(part, isWord);
  }
  return marked.map((one) => (one ? '•' : '.')).join('');
}

test('the search finds what a search for one after the other finds', () => {
  // Few letters, so that patterns overlap and contain each other
  const text = (most: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'א', '🎂', '-'), minLength: 1, maxLength: most });
  fc.assert(
    fc.property(
      fc.array(text(9), { maxLength: 8 }),
      fc.array(
        text(5).filter((word) => word.length <= 8),
        { maxLength: 5 },
      ),
      text(60),
      (anywhere, asWords, line) => {
        const spans = createSearch({ anywhere, asWords })(line);
        const shown = Array.from({ length: line.length }, (_, i) =>
          spans.some(({ start, end }) => start <= i && i < end) ? '•' : '.',
        );
        assert.equal(shown.join(''), foundOneByOne(line, anywhere, asWords));
        for (const [i, { start }] of spans.entries()) assert.ok(i === 0 || (spans[i - 1]?.end ?? 0) < start);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('all that stands in a line is looked for, however long: pieces leave nothing out', () => {
  const value = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '"', ' ', '🎂', 'ש'), maxLength: 400 });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), fc.nat(3), (values, which) => {
      const [secret = ''] = values.slice(which).map((one) => one.trim());
      if (secret.length < 6) return;
      const hide = createRedactor(values);
      for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret), btoa8(secret)]) {
        assert.match(hide(`<${form}>`), /^<"?•{6}"?>$/);
      }
    }),
  );
});

function btoa8(text: string): string {
  return Buffer.from(text).toString('base64');
}

test('whatever variables there are, what is looked for has a bound, and every small value is among it', () => {
  const lines = (length: number, count: number, of: string) =>
    Array.from({ length: count }, (_, i) => `${of}${i}`.padEnd(length, 'x')).join('\n');
  const hostile: Record<string, string[]> = {
    'one of 8,000 lines of nine': [lines(9, 7_200, 'l')],
    'one of 2,000 lines of four': [lines(4, 2_000, '')],
    '200 of 64 KiB': Array.from({ length: 199 }, (_, i) => `${i} `.repeat(2 ** 15).slice(0, 2 ** 16)),
    '200 of 64 KiB in lines': Array.from({ length: 199 }, (_, i) => lines(7, 8_000, String(i))),
    'all of one letter': Array.from({ length: 199 }, (_, i) => 'a'.repeat(2 ** 16 - i)),
  };
  for (const [name, values] of Object.entries(hostile)) {
    const all = [...values, 'the small one'];
    const { anywhere, asWords } = secretParts(all);
    const units = [...anywhere, ...asWords].reduce((sum, { length }) => sum + length, 0);
    assert.ok(units <= MOST_UNITS, name);
    const hide = createRedactor(all);
    assert.equal(hide('<the small one>'), '<••••••>', name);
    assert.equal(
      hide(`<${values[0]?.split('\n').at(0)?.slice(0, 64)}>`).includes(values[0] ?? ''),
      false,
      name,
    );
    assert.equal(hide('-'.repeat(80_000)).length, 80_000, name);
  }
});
