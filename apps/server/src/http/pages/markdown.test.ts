import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { HOW_TO_PLAY_FILE } from './how-to-play-page.ts';
import { renderMarkdown } from './markdown.ts';

test('headings, lists that go on, tables and marks become markup', () => {
  const { markup } = renderMarkdown(
    '# A\n\n- **b** one\n  two\n- `c`\n\n| x | y |\n|---|---|\n| *z* | [w](/v) |',
  );
  expect(markup).toBe(
    '<h1>A</h1>\n<ul><li><b>b</b> one two</li><li><code>c</code></li></ul>\n' +
      '<table><thead><tr><th>x</th><th>y</th></tr></thead><tbody><tr><td><em>z</em></td>' +
      '<td><a href="/v">w</a></td></tr></tbody></table>',
  );
});

test('what looks like markup is shown as text', () => {
  expect(renderMarkdown('a <b> & "c"').markup).toBe('<p>a &lt;b&gt; &amp; &quot;c&quot;</p>');
});

test('nothing of the rules for players is left as Markdown', async () => {
  const { markup } = renderMarkdown(await readFile(HOW_TO_PLAY_FILE, 'utf8'));
  expect(markup.replaceAll(/<code>.*?<\/code>|<[^>]*>/g, '')).not.toMatch(/\*\*|`|\]\(|\|--|^#/m);
  expect(markup).toContain('<table>');
});
