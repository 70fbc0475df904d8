/**
 * Texts of about `length` characters that cost a Markdown parser, or a page that renders them, far more than their
 * length.
 */
type Shape = (length: number) => string

const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

function grow(length: number, line: (index: number) => string): string {
  const lines: string[] = []
  for (let index = 0, total = 0; total < length; index++) {
    const next = line(index)
    lines.push(next)
    total += next.length
  }
  return lines.join('')
}

export const hostileShapes: Readonly<Record<string, Shape>> = {
  'letters under many marks': (length) => fill('a\u0301\u0336\u0337\u0338\u0310\u0311\u0312 ', length),
  'one letter under all marks': (length) => `a${fill('\u0301\u0336', length)}`,
  emoji: (length) => fill('😀', length),
  'families of emoji': (length) => fill('👨‍👩‍👧‍👦', length),
  'unseen characters': (length) => fill('a\u200b', length),
  'HTML that nests': (length) => `\`\`\`html\n${fill('<div>', length)}\n\`\`\``,
  'fifty pages of HTML': (length) =>
    `\`\`\`html\n<h1>A page</h1>${fill('<p>x</p>', length / 50)}\n\`\`\`\n\n`.repeat(50),
  'fifty blocks of HTML': (length) => `<div>\n${fill('<p>x</p>', length / 50)}\n</div>\n\n`.repeat(50),
  'fifty blocks of HTML with unseen characters': (length) =>
    `<div>\n${fill('a\u200b', length / 50)}\n</div>\n\n`.repeat(50),
  'fifty paragraphs with unseen characters': (length) => `${fill('a\u200b', length / 50)}\n\n`.repeat(50),
  'fifty paragraphs of emoji': (length) => `${fill('🙂', length / 100)}\n\n`.repeat(50),
  'fifty paragraphs of letters with marks': (length) => `${fill('a\u0301', length / 50)}\n\n`.repeat(50),
  'quotations in quotations': (length) => `${fill('>', length)} x`,
  'lists in lists on one line': (length) => `${fill('- ', length)}x`,
  'numbers in numbers on one line': (length) => `${fill('1. ', length)}x`,
  'lists that nest by indent': (length) => grow(length, (index) => `${' '.repeat(2 * index)}- a\n`),
  'quotations that deepen': (length) => grow(length, (index) => `${'>'.repeat(index)} a\n`),
  'lazy lines under a quotation': (length) => `> a\n${fill('b\n', length)}`,
  'lazy lines under deep lists': (length) => `${fill('- ', 40)}a\n${fill('b\n', length)}`,
  'links that open': (length) => fill('[a](', length),
  'pictures that open': (length) => fill('![', length),
  'brackets that open': (length) => fill('[', length),
  'brackets that close': (length) => fill(']', length),
  'brackets in brackets': (length) => fill('[', length / 4) + fill('](b)', (length / 4) * 3),
  stars: (length) => fill('*', length),
  'stars between letters': (length) => fill('a**b', length),
  'stars that open, then close': (length) => fill('*a ', length / 2) + fill('a* ', length / 2),
  'deep emphasis': (length) => fill('*a', length / 2) + fill('a*', length / 2),
  'strong in strong': (length) => fill('**a ', length / 2) + fill(' a**', length / 2),
  'stars and underscores': (length) => fill('*_', length),
  'underscores that close': (length) => fill('a* b_ ', length),
  'runs of backticks, each longer': (length) => grow(length, (index) => `${'`'.repeat(index + 1)} `),
  'lone backticks': (length) => fill('`a', length),
  'angle brackets': (length) => fill('<', length),
  'tags that open': (length) => fill('<a ', length),
  'comments that open': (length) => fill('<!--', length),
  'elements like HTML': (length) => fill('<b>x</b> ', length),
  'a tag with many attributes': (length) => `<a ${fill('b="c" ', length)}`,
  'a table of many columns': (length) =>
    `${fill('|a', length / 3)}|\n${fill('|-', length / 3)}|\n${fill('|b', length / 3)}|`,
  'short rows under many columns': (length) =>
    `${fill('|a', length / 4)}|\n${fill('|-', length / 4)}|\n${fill('x\n', length / 2)}`,
  'a table of many rows': (length) => `|a|b|\n|-|-|\n${fill('|x|\n', length)}`,
  'definitions of links': (length) => grow(length, (index) => `[a${index}]: /x\n`),
  'uses of one definition': (length) => `[a]: /x\n\n${fill('[a] ', length)}`,
  footnotes: (length) => grow(length, (index) => `[^${index}]: x\n`),
  'uses of a footnote': (length) => `[^a]: x\n\n${fill('[^a] ', length)}`,
  'addresses without a scheme': (length) => fill('www.a.b ', length),
  addresses: (length) => fill('http://a.b ', length),
  'mail addresses': (length) => fill('a@b.c ', length),
  'entities behind an address': (length) => `http://a.b/${fill('&a;', length)}`,
  backslashes: (length) => fill('\\', length),
  'formulas that open': (length) => fill(String.raw`\(a `, length),
  'dollars that open': (length) => fill('$a ', length),
  'blocks of formulas': (length) => fill('$$\na\n\n', length),
  'ampersands of entities': (length) => fill('&amp;', length),
  'short lines': (length) => fill('a\n', length),
  'hard line ends': (length) => fill('a  \n', length),
  'lines before an underline': (length) => `${fill('a\n', length)}===`,
  'a title that does not end': (length) => `[a]: b "\n${fill('x\n', length)}`,
  tasks: (length) => fill('- [ ] a\n', length),
  'a loose list': (length) => fill('- a\n\n', length),
  'lists that take turns': (length) => fill('+ a\n- a\n', length),
  'fences in a list': (length) => fill('- ```\n', length),
  'blank lines in a list': (length) => `- a${fill('\n', length)}b`,
  'tabs before a word': (length) => `a\n${fill('\t', length)}b`,
  'one long line': (length) => fill('word ', length),
  'one long word': (length) => fill('a', length),
}
