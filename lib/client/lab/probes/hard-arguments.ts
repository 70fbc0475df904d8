import { call, user, type ExpectedCall, type Probe } from '../probe'
import { offer } from './probe-tools'

const probe = (id: string, tool: string, task: string, right: ExpectedCall): Probe => ({
  id: `hard-arguments-${id}`,
  kind: 'hard-arguments',
  question: [user(task)],
  functions: offer(tool),
  rounds: [{ expect: 'calls', calls: [right] }],
})

/** With or without a last line break. */
const file = (path: string, content: string) =>
  call('write_file', { path: [path], content: [content, `${content}\n`] }, ['path', 'content'])

const write = (id: string, path: string, content: string): Probe =>
  probe(
    id,
    'write_file',
    `Write exactly this text into ${path}, from the line after the dashes to the line before the next dashes:\n-----\n${content}\n-----`,
    file(path, content),
  )

/** Line breaks, quotes, JSON in text, other scripts: where escaping goes wrong. Compared by every character. */
export const hardArguments: readonly Probe[] = [
  write('lines', '/poem.txt', 'Roses are red,\nviolets are blue.\n\nThe end.'),
  write('quotes', '/quote.txt', "She said: \"It's 'fine'\", and left."),
  write('backslashes', '/paths.txt', 'C:\\new\\table\n\\d+\\.\\d{2}'),
  write('code', '/greet.js', 'function greet(name) {\n  return `Hello, ${name}!`\n}\n// {"not": "a call"}'),
  write('html', '/page.html', '<!doctype html>\n<p class="intro">5 &lt; 6 &amp; "so" on</p>'),
  write('python', '/add.py', 'def add(a, b):\n    """Adds two numbers."""\n    return a + b'),
  write('markdown', '/readme.md', '# Title\n\n```json\n{"name": "x", "arguments": {}}\n```\n\n- [ ] one'),
  probe(
    'utf-8',
    'translate_text',
    'Translate this into English (en), using the tool, with the text exactly as it is: „Grüße aus Köln — 你好, wie geht’s? 🙂“ (without the German quotation marks around it)',
    call('translate_text', { text: ['Grüße aus Köln — 你好, wie geht’s? 🙂'], to: ['en'] }, ['text']),
  ),
  probe(
    'json-in-text',
    'post_json',
    'Send this JSON, character for character, to https://api.example.com/v1/items: {"id":7,"tags":["a","b\\"c"],"note":"line\\nbreak"}',
    call(
      'post_json',
      {
        url: ['https://api.example.com/v1/items'],
        body: ['{"id":7,"tags":["a","b\\"c"],"note":"line\\nbreak"}'],
      },
      ['url', 'body'],
    ),
  ),
  probe(
    'regex',
    'regex_replace',
    'Use the tool to replace every run of digits by #. The text is: a1b22c333. The pattern must be \\d+ exactly.',
    call('regex_replace', { text: ['a1b22c333'], pattern: ['\\d+'], replacement: ['#'] }, [
      'text',
      'pattern',
      'replacement',
    ]),
  ),
  probe(
    'sql',
    'run_query',
    "Run exactly this query: SELECT name FROM people WHERE note = 'it''s \"odd\"' AND age >= 18",
    call('run_query', { sql: ["SELECT name FROM people WHERE note = 'it''s \"odd\"' AND age >= 18"] }, ['sql']),
  ),
]
