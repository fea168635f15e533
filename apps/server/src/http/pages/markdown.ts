import { html, type Markup, trusted } from './html.ts';

/** Our own texts as markup: headings, paragraphs, lists, tables, and bold, italics, code and links within them. */
export function renderMarkdown(text: string): Markup {
  return trusted(
    text
      .trim()
      .split(/\n{2,}/)
      .map((block) => renderBlock(block.split('\n')).markup)
      .join('\n'),
  );
}

function renderBlock(lines: readonly string[]): Markup {
  const [first = ''] = lines;
  const heading = /^(#{1,3}) (.*)$/.exec(first);
  if (heading) {
    const tag = trusted(`h${heading[1]!.length}`);
    return html`<${tag}>${renderLine(heading[2]!)}</${tag}>`;
  }
  if (first.startsWith('- ')) return html`<ul>${listItems(lines).map((item) => html`<li>${item}</li>`)}</ul>`;
  if (first.startsWith('|')) return renderTable(lines);
  return html`<p>${renderLine(lines.join(' '))}</p>`;
}

/** An indented line goes on with the item before it. */
function listItems(lines: readonly string[]): readonly Markup[] {
  return lines
    .map((line) => (line.startsWith('- ') ? `\n${line.slice(2)}` : ` ${line.trim()}`))
    .join('')
    .trim()
    .split('\n')
    .map(renderLine);
}

function renderTable([head = '', , ...rows]: readonly string[]): Markup {
  const cells = (row: string) => row.replace(/^\||\|$/g, '').split('|');
  const titles = cells(head).map((cell) => html`<th>${renderLine(cell.trim())}</th>`);
  const body = rows.map(
    (row) => html`<tr>${cells(row).map((cell) => html`<td>${renderLine(cell.trim())}</td>`)}</tr>`,
  );
  return html`<table><thead><tr>${titles}</tr></thead><tbody>${body}</tbody></table>`;
}

const MARKS =
  /\*\*(?<bold>[^*]+)\*\*|\*(?<italic>[^*]+)\*|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<to>[^)]+)\)/g;

function renderLine(line: string): Markup {
  const parts: Markup[] = [];
  let end = 0;
  for (const match of line.matchAll(MARKS)) {
    parts.push(html`${line.slice(end, match.index)}`, renderMark(match.groups!));
    end = match.index + match[0].length;
  }
  parts.push(html`${line.slice(end)}`);
  return html`${parts}`;
}

function renderMark({ bold, italic, code, label, to }: Record<string, string | undefined>): Markup {
  if (bold !== undefined) return html`<b>${bold}</b>`;
  if (italic !== undefined) return html`<em>${italic}</em>`;
  if (code !== undefined) return html`<code>${code}</code>`;
  return html`<a href="${to}">${label}</a>`;
}
