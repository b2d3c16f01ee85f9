import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Html, html } from './html.ts';

test('no value gets out of its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inside = html`<p title="${text}">${text}</p>`.text.slice('<p title="'.length, -'</p>'.length);
      assert.equal(inside.split('">').length, 2);
      assert.doesNotMatch(inside.replace('">', ''), /[<>"']/);
    }),
  );
  assert.equal(html`${'<script>'}`.text, '&lt;script&gt;');
});

test('HTML, lists of it and nothing stand as they are', () => {
  assert.equal(
    html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}${false}${null}</ul>`.text,
    '<ul><li>1</li><li>2</li></ul>',
  );
  assert.equal(html`${new Html('<b>')}`.text, '<b>');
});
