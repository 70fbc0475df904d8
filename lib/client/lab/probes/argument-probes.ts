import { call, user, type ExpectedCall, type Probe } from '../probe'
import { offer } from './probe-tools'

const hardArgumentsProbe = (id: string, tool: string, task: string, right: ExpectedCall): Probe => ({
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
  hardArgumentsProbe(
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
  hardArgumentsProbe(
    'utf-8',
    'translate_text',
    'Translate this into English (en), using the tool, with the text exactly as it is: „Grüße aus Köln — 你好, wie geht’s? 🙂“ (without the German quotation marks around it)',
    call('translate_text', { text: ['Grüße aus Köln — 你好, wie geht’s? 🙂'], to: ['en'] }, ['text']),
  ),
  hardArgumentsProbe(
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
  hardArgumentsProbe(
    'regex',
    'regex_replace',
    'Use the tool to replace every run of digits by #. The text is: a1b22c333. The pattern must be \\d+ exactly.',
    call('regex_replace', { text: ['a1b22c333'], pattern: ['\\d+'], replacement: ['#'] }, [
      'text',
      'pattern',
      'replacement',
    ]),
  ),
  hardArgumentsProbe(
    'sql',
    'run_query',
    "Run exactly this query: SELECT name FROM people WHERE note = 'it''s \"odd\"' AND age >= 18",
    call('run_query', { sql: ["SELECT name FROM people WHERE note = 'it''s \"odd\"' AND age >= 18"] }, ['sql']),
  ),
]

const quotesExampleProbe = (id: string, tools: readonly string[], task: string): Probe => ({
  id: `quotes-example-${id}`,
  kind: 'quotes-example',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'words' }],
})

/** The user wants to see a call, not to run one: nothing may be read as a call. */
export const quotesExample: readonly Probe[] = [
  quotesExampleProbe(
    'documentation',
    ['get_weather'],
    'I write documentation. Describe in words which tool you would use to look up the weather in Paris and with which arguments. Do not call it.',
  ),
  quotesExampleProbe(
    'names',
    ['read_file', 'write_file', 'delete_path'],
    'Which tools do you have? Only name them; call none.',
  ),
  quotesExampleProbe(
    'explain',
    ['delete_path', 'list_directory'],
    'Explain what would happen if you deleted /tmp. Do not delete anything, do not call any tool.',
  ),
  quotesExampleProbe(
    'parameters',
    ['send_email'],
    'Which parameters does your tool for mails take? Answer with a list of words. Nothing is to be sent.',
  ),
  quotesExampleProbe(
    'past',
    ['set_timer', 'get_time'],
    'Yesterday an assistant told me: “I call set_timer with minutes = 5.” Is 5 minutes enough for soft eggs? Answer without any tool.',
  ),
  quotesExampleProbe(
    'inline',
    ['convert_currency'],
    'Show me, in the middle of a sentence and in inline code, how the name of your currency tool is spelled. Call nothing.',
  ),
  quotesExampleProbe(
    'plan',
    ['search_files', 'read_file', 'write_file'],
    'Make a plan in three short steps for renaming a word in all my files. Only the plan for now, I have to agree first.',
  ),
]

const paraphraseProbe = (id: string, tools: readonly string[], task: string, right: ExpectedCall): Probe => ({
  id: `paraphrase-${id}`,
  kind: 'paraphrase',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'calls', calls: [right] }],
})

const weather = ['get_weather', 'set_timer', 'find_route'] as const

/** A plain task in words that are far from the tool's description. */
export const paraphrase: readonly Probe[] = [
  paraphraseProbe(
    'umbrella',
    weather,
    'I am about to leave the house in Dublin. Umbrella or sunglasses?',
    call('get_weather', { city: ['Dublin'], unit: ['celsius', ''] }),
  ),
  paraphraseProbe(
    'pasta',
    weather,
    'the spaghetti went in just now and wants nine minutes, give me a shout then',
    call('set_timer', {
      minutes: [9],
      label: ['spaghetti', 'pasta', 'the spaghetti', 'spaghetti is ready', 'spaghetti ready', 'spaghetti timer', ''],
    }),
  ),
  paraphraseProbe(
    'cycling',
    weather,
    'On two wheels from Utrecht to Amsterdam, without an engine: which way?',
    call('find_route', { from: ['Utrecht'], to: ['Amsterdam'], by: ['bike'] }),
  ),
  paraphraseProbe(
    'german',
    ['get_weather', 'get_time'],
    'Wie ist gerade das Wetter in Hamburg?',
    call('get_weather', { city: ['Hamburg'], unit: ['celsius', ''] }),
  ),
  paraphraseProbe(
    'typos',
    ['read_file', 'list_directory'],
    'pls opne teh file /etc/motd an show it',
    call('read_file', { path: ['/etc/motd'] }, ['path']),
  ),
  paraphraseProbe(
    'dark',
    ['turn_light', 'play_music'],
    'It is far too bright in the study, make it pitch-dark in there.',
    call('turn_light', { room: ['study', 'the study'], on: [false], brightness: [0, ''] }),
  ),
  paraphraseProbe(
    'dollars',
    ['convert_currency', 'get_stock_price'],
    'My aunt in Texas gave me three hundred bucks. What is that back home in London?',
    call('convert_currency', { amount: [300], from: ['USD'], to: ['GBP'] }),
  ),
]
