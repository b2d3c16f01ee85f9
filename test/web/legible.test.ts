import assert from 'node:assert/strict';
import { sharedBrowser } from '../support/browser.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { ILLEGIBLE } from './legible.ts';

/** What is found in a page of 400 by 300. */
async function illegible(html: string): Promise<string[]> {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 400, height: 300 } });
  const page = await context.newPage();
  await page.setContent(`<body style="font: 16px/20px monospace">${html}`);
  const found = (await page.evaluate(ILLEGIBLE)) as string[];
  await context.close();
  return found.map((one) => one.replace(/ in <.*/s, ''));
}

testInLane('text that is cut off, or covers other text, is found', async () => {
  const box = (style: string, text: string) => `<div style="white-space: nowrap; ${style}">${text}</div>`;
  assert.deepEqual(await illegible(box('width: 50px; overflow: hidden', 'far too long for that')), [
    'cut: far too long for that',
  ]);
  assert.deepEqual(await illegible(box('height: 8px; overflow: hidden', 'far too high for that')), [
    'cut: far too high for that',
  ]);
  assert.deepEqual(await illegible('<p>one</p><p style="margin-top: -34px; margin-left: 10px">other</p>'), [
    'over each other: one | other',
  ]);
});

testInLane(
  'text that scrolls, ends in an ellipsis, is for screen readers or stands above the page is legible',
  async () => {
    const styles = [
      'width: 50px; overflow: auto',
      'width: 50px; overflow: hidden; text-overflow: ellipsis',
      'position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0)',
      'display: none',
      'visibility: hidden; margin-top: -20px',
    ];
    for (const style of styles) {
      const html = `<p>one</p><div style="white-space: nowrap; ${style}">far too long for that</div>`;
      assert.deepEqual(await illegible(html), [], style);
    }
    const note =
      '<div style="position: fixed; left: 0; top: 0; width: 90px; background: #fff">in front</div>';
    assert.deepEqual(await illegible(`<p style="margin: 0">behind, and seen beyond it</p>${note}`), []);
    const scrolled =
      '<div style="height: 40px; overflow: auto"><p style="margin: 60px 0 0">scrolled away</p></div><p style="margin: 10px 0">below</p>';
    assert.deepEqual(await illegible(scrolled), []);
    const dialog = '<div style="position: fixed; inset: 0; background: #fff">in front</div>';
    assert.deepEqual(await illegible(`<p>behind</p>${dialog}`), []);
  },
);
