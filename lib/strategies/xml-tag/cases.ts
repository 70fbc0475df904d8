import type { ReplyCase } from '../testing/outline'

const read = '{"name":"read_file","arguments":{"path":"/a"}}'
const list = '{"name":"list_directory","arguments":{"path":"/"}}'
const A = { name: 'read_file', arguments: { path: '/a' } }
const B = { name: 'list_directory', arguments: { path: '/' } }
const tag = (body: string): string => `<tool_code>${body}</tool_code>`
const writeOf = (content: string): string => `{"name":"write_file","arguments":{"path":"/a","content":${content}}}`
const W = (content: string) => ({ name: 'write_file', arguments: { path: '/a', content } })

export const xmlTagCases: readonly ReplyCase[] = [
  {
    source: 'F82',
    name: 'a whole example inside a string with bare quotes',
    text: tag(writeOf('"say "hi" <tool_code>{"name":"get_time","arguments":{}}</tool_code> ok"')),
    expected: {
      type: 'tool_call',
      calls: [W('say "hi" <tool_code>{"name":"get_time","arguments":{}}</tool_code> ok')],
    },
  },
  {
    source: '§3',
    name: 'the envelope of another strategy inside the tag',
    text: tag(`{"tool_calls":[${read}]}`),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['unwrapped'] }] },
  },
  {
    source: 'F85',
    name: 'a cut closing tag and a missing brace',
    text: '<tool_code>{"name":"read_file","arguments":{"path":"/a"}</tool_code',
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: '§3',
    name: 'one call',
    text: tag(read),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }], text: '' },
  },
  {
    source: '§3',
    name: 'over lines, with prose',
    text: `Look:\n<tool_code>\n${read}\n</tool_code>\nwait.`,
    expected: { type: 'mixed', calls: [{ ...A, repairs: [] }], text: 'Look:\n\nwait.' },
  },
  {
    source: 'F81',
    name: 'the closing tag inside a string',
    text: tag(writeOf('"a </tool_code> b"')),
    expected: { type: 'tool_call', calls: [W('a </tool_code> b')] },
  },
  {
    source: 'F81',
    name: 'the closing tag after a brace inside a string',
    text: tag(writeOf('"x}}</tool_code> b"')),
    expected: { type: 'tool_call', calls: [W('x}}</tool_code> b')] },
  },
  {
    source: 'F82',
    name: 'the opening tag inside a string',
    text: tag(writeOf('"a <tool_code>{\\"name\\":\\"x\\"}</tool_code> b"')),
    expected: { type: 'tool_call', calls: [W('a <tool_code>{"name":"x"}</tool_code> b')] },
  },
  {
    source: 'F83',
    name: 'no closing tag at the end',
    text: `<tool_code>${read}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['missing-closer'] }] },
  },
  {
    source: 'F84',
    name: 'no closing tag before the next call',
    text: `<tool_code>${read}\n<tool_code>${list}</tool_code>`,
    expected: {
      type: 'tool_call',
      calls: [
        { ...A, repairs: ['missing-closer'] },
        { ...B, repairs: [] },
      ],
    },
  },
  {
    source: 'F85',
    name: 'a cut closing tag',
    text: `<tool_code>${read}</tool_c`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['missing-closer'] }], text: '' },
  },
  ...['</think>', '</tool_use>', '</tool_call>'].map((closer): ReplyCase => ({
    source: 'F86',
    name: `${closer} as the closing tag`,
    text: `<tool_code>${read}${closer}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['wrong-closer'] }] },
  })),
  {
    source: 'F87',
    name: 'no opening tag',
    text: `${read}\n</tool_code>`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['missing-opener'] }] },
  },
  {
    source: 'F87',
    name: 'no opening tag and no such tool',
    text: '{"name":"nothing_here","arguments":{}}</tool_code>',
    expected: { type: 'text' },
  },
  {
    source: 'F88',
    name: 'upper case, blanks, attributes',
    text: `<TOOL_CODE>${read}</TOOL_CODE><tool_code id="1">${read.replace('/a', '/b')}</ tool_code >`,
    expected: {
      type: 'tool_call',
      calls: [
        { ...A, repairs: ['tag-case'] },
        { name: 'read_file', arguments: { path: '/b' }, repairs: ['tag-attributes'] },
      ],
    },
  },
  {
    source: 'F89',
    name: 'a fence inside the tag',
    text: tag(`\n\`\`\`json\n${read}\n\`\`\`\n`),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['fenced-body'] }] },
  },
  {
    source: 'F90',
    name: 'inside a fence',
    text: `\`\`\`xml\n${tag(read)}\n\`\`\``,
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  {
    source: '§3',
    name: 'inside a tool_code fence',
    text: `\`\`\`tool_code\n${tag(read)}\n\`\`\``,
    expected: { type: 'tool_call', calls: [A], text: '' },
  },
  {
    source: 'R20',
    name: 'a bare body in a tool_code fence',
    text: `\`\`\`tool_code\n${read}\n\`\`\``,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['bare-body'] }], text: '' },
  },
  {
    source: 'R20',
    name: 'a Python call in a tool_code fence',
    text: '```tool_code\nprint(default_api.read_file(path="/a"))\n```',
    expected: { type: 'text', calls: [{ ...A, standing: 'foreign', dialect: 'gemma-python' }] },
  },
  {
    source: 'F91',
    name: 'the tag in prose and inline code',
    text: `Write \`<tool_code>\` or <tool_code> and close with </tool_code>.\n${tag(read)}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'F93',
    name: 'two calls in one tag',
    text: tag(`\n${read}\n${list}\n`),
    expected: { type: 'tool_call', calls: [A, B] },
  },
  {
    source: 'F93',
    name: 'a list in one tag',
    text: tag(`[${read},${list}]`),
    expected: { type: 'tool_call', calls: [A, B] },
  },
  {
    source: 'F31',
    name: 'the same object twice in one tag',
    text: tag(`${read}${read}`),
    expected: { type: 'tool_call', calls: [A, { ...A, problem: 'duplicate' }] },
  },
  {
    source: 'F97',
    name: 'child elements',
    text: tag('<name>read_file</name><arguments>{"path":"/a"}</arguments>'),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['child-elements'] }] },
  },
  {
    source: 'F97',
    name: 'arguments as elements',
    text: tag('\n<name>read_file</name>\n<arguments>\n<path>/a</path>\n</arguments>\n'),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['child-elements'] }] },
  },
  {
    source: '§3',
    name: 'a CDATA section',
    text: tag(`<![CDATA[${read}]]>`),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['cdata'] }] },
  },
  {
    source: 'F99',
    name: 'a YAML body is text',
    text: tag('\nname: read_file\narguments:\n  path: /a\n'),
    expected: { type: 'text' },
  },
  {
    source: 'F101',
    name: 'an invented result',
    text: `${tag(read)}\n<tool_response>\nhi ${tag(list)}\n</tool_response>\n${tag(list)}`,
    expected: { type: 'mixed', calls: [A, { ...B, standing: 'quoted' }, { ...B, standing: 'quoted' }] },
  },
  {
    source: 'R12',
    name: 'its own result frame',
    text: `${tag(read)}\n<tool_result id="call_1" name="read_file" status="completed">"x"</tool_result>\n${tag(list)}`,
    expected: { type: 'mixed', calls: [A, { ...B, standing: 'quoted' }] },
  },
  {
    source: 'F102',
    name: 'inside reasoning',
    text: `<think>\n${tag(read)}\n</think>\n${tag(list)}`,
    expected: { type: 'mixed', calls: [{ ...A, standing: 'quoted' }, B] },
  },
  {
    source: 'R8',
    name: 'a lone closer after a closed call',
    text: `${tag(read)}\n</think>\n${tag(list)}`,
    expected: { type: 'mixed', calls: [{ ...A, standing: 'quoted' }, B] },
  },
  {
    source: 'F105',
    name: 'entities inside strings stay',
    text: tag(writeOf('"&lt;b&gt; &amp;lt; &quot;"')),
    expected: { type: 'tool_call', calls: [W('&lt;b&gt; &amp;lt; &quot;')] },
  },
  {
    source: 'F105',
    name: 'every quote is an entity',
    text: tag(read.replaceAll('"', '&quot;')),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['entities'] }] },
  },
  {
    source: 'F33',
    name: 'noise after the object',
    text: tag(`${read}\nDone!`),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['noise'] }] },
  },
  {
    source: 'F33',
    name: 'noise before the object',
    text: tag(`Here it is: ${read}`),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['noise'] }] },
  },
  {
    source: 'F18',
    name: 'a missing brace before the closing tag',
    text: tag('{"name":"read_file","arguments":{"path":"/a"}'),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['missing-bracket'] }] },
  },
  {
    source: 'F18',
    name: 'a missing brace at the end of the text',
    text: '<tool_code>{"name":"read_file","arguments":{"path":"/a"}',
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: 'R20',
    name: 'missing braces before the next opener',
    text: `<tool_code>{"name":"read_file","arguments":{"path":"/a"}\n${tag(list)}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['missing-bracket', 'missing-closer'] }, B] },
  },
  {
    source: 'R20',
    name: 'a cut string before the next opener',
    text: `<tool_code>{"name":"write_file","arguments":{"path":"/a","content":"abc\n${tag(list)}`,
    expected: { type: 'mixed', calls: [B], broken: ['truncated'] },
  },
  {
    source: 'R20',
    name: 'a tag with a cut body',
    text: '<tool_code>{"name":"read_file","argum',
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: 'F53',
    name: 'cut inside a string',
    text: `<tool_code>${writeOf('"abc').slice(0, -2)}`,
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: 'F37',
    name: 'hopeless JSON never becomes {}',
    text: tag('{"name":"get_time","arguments":{oops ]]'),
    expected: { type: 'text', broken: ['bad-json'] },
  },
  {
    source: 'F57',
    name: 'a depth bomb',
    text: tag(`{"name":"draw","arguments":{"style":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}}`),
    expected: { type: 'text', broken: ['too-deep'] },
  },
  {
    source: '§1',
    name: 'a body without a name',
    text: tag('{"path":"/a","other":1}'),
    expected: { type: 'text', broken: ['missing-name'] },
  },
  {
    source: 'F96',
    name: 'text around calls is kept',
    text: `a${tag(read)}b${tag(list)}c`,
    expected: { type: 'mixed', calls: [A, B], text: 'abc' },
  },
  {
    source: 'F23',
    name: 'invisible characters before the brace',
    text: tag(`\ufeff\u200b${read}`),
    expected: { type: 'tool_call', calls: [A] },
  },
  {
    source: 'R21',
    name: 'in a quotation over lines',
    text: `> <tool_code>\n> ${read}\n> </tool_code>\n`,
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  {
    source: '§2',
    name: 'a bare quote and the closing tag inside a string',
    text: tag(writeOf('"say "</tool_code>" twice"')),
    expected: { calls: [W('say "</tool_code>" twice')] },
  },
]
