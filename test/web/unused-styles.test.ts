import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutUnusedRules } from '../../web/unused-styles.ts';

test('styles of components that no script contains are left out of the build', () => {
  const css = `
    .m_1a2b3c4d { color: red }
    .m_1a2b3c4d:hover, .m_ffffffff:hover { color: blue }
    .m_ffffffff { color: green }
    @media (min-width: 10em) { .m_ffffffff { color: green } }
    :where(.m_1a2b3c4d) .m_ffffffff { color: green }
    body { margin: 0 }
    .own_m_1 { margin: 1px }`;
  const kept = withoutUnusedRules(css, ['const classes = { root: "m_1a2b3c4d" };']);
  assert.equal(
    kept.replace(/\s+/g, ' ').trim(),
    '.m_1a2b3c4d { color: red } .m_1a2b3c4d:hover { color: blue } body { margin: 0 } .own_m_1 { margin: 1px }',
  );
});
