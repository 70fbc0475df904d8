import type { ReplyCase } from '../testing/outline'

const read = '{"name":"read_file","arguments":{"path":"/a"}}'
const list = '{"name":"list_directory","arguments":{"path":"/"}}'
const envelope = `{"tool_calls":[${read}]}`
const A = { name: 'read_file', arguments: { path: '/a' } }
const B = { name: 'list_directory', arguments: { path: '/' } }

export const jsonStrictCases: readonly ReplyCase[] = [
  {
    source: 'F18',
    name: 'a list that lost its brackets before prose',
    text: `{"tool_calls":[${read}\n\nNow I wait.`,
    expected: { type: 'mixed', calls: [{ ...A, repairs: ['missing-bracket'] }], text: '\n\nNow I wait.' },
  },
  {
    source: 'F54',
    name: 'a list cut after a comma',
    text: `{"tool_calls":[${read},`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F8',
    name: 'a backslash before the closing quote never swallows the next parameter',
    text: '{"tool_calls":[{"name":"write_file","arguments":{"path":"C:\\dir\\","content":"x"}}]}'.replace(
      '\\\\"',
      '\\"',
    ),
    expected: { type: 'text', broken: ['bad-json'] },
  },
  {
    source: 'F51',
    name: 'the list written twice in one envelope',
    text: `{"tool_calls":[${read}],"tool_calls":[${list}]}`,
    expected: { type: 'tool_call', calls: [A, B] },
  },
  {
    source: 'R21',
    name: 'the form mentioned in prose',
    text: 'Write {"tool_calls":[...]} or {"tool_calls": ...}.',
    expected: { type: 'text' },
  },
  {
    source: 'F59',
    name: 'the whole reply is bare JSON',
    text: envelope,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }], text: '' },
  },
  {
    source: 'F60',
    name: 'a json fence',
    text: `\`\`\`json\n${envelope}\n\`\`\``,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }], text: '' },
  },
  {
    source: '§3',
    name: 'fence languages in any case',
    text: ['', 'JSON', 'jsonc', 'JSON5', 'tool_calls', 'tool_call', 'Tool_Code']
      .map((l) => `\`\`\`${l}\n{"tool_calls":[{"name":"read_file","arguments":{"path":"/${l}"}}]}\n\`\`\``)
      .join('\n'),
    expected: {
      type: 'tool_call',
      calls: ['', 'JSON', 'jsonc', 'JSON5', 'tool_calls', 'tool_call', 'Tool_Code'].map((l) => ({
        name: 'read_file',
        arguments: { path: `/${l}` },
      })),
    },
  },
  {
    source: 'F61',
    name: 'prose before and after stays',
    text: `Let me look.\n${envelope}\nThen more.`,
    expected: { type: 'mixed', calls: [A], text: 'Let me look.\n\nThen more.' },
  },
  {
    source: 'F62',
    name: 'a fence inside a string',
    text: '```json\n{"tool_calls":[{"name":"write_file","arguments":{"path":"/a","content":"```py\\nx\\n```\\n"}}]}\n```',
    expected: {
      type: 'tool_call',
      calls: [{ name: 'write_file', arguments: { path: '/a', content: '```py\nx\n```\n' } }],
    },
  },
  {
    source: 'F62',
    name: 'a raw fence inside a string',
    text: '```json\n{"tool_calls":[{"name":"write_file","arguments":{"path":"/a","content":"```py\nx\n```\n"}}]}\n```',
    expected: {
      type: 'tool_call',
      calls: [{ name: 'write_file', arguments: { path: '/a', content: '```py\nx\n```\n' }, repairs: ['raw-newline'] }],
    },
  },
  {
    source: 'F63',
    name: 'four backticks, and tildes',
    text: `\`\`\`\`json\n${envelope}\n\`\`\`\`\n~~~json\n{"tool_calls":[${list}]}\n~~~`,
    expected: { type: 'tool_call', calls: [A, B] },
  },
  {
    source: 'F64',
    name: 'a fence never closed',
    text: `Now:\n\`\`\`json\n${envelope}`,
    expected: { type: 'mixed', calls: [A] },
  },
  { source: 'F65', name: 'a two-backtick fence', text: `\`\`json\n${envelope}\n\`\``, expected: { calls: [A] } },
  {
    source: 'F66',
    name: 'inline code in prose before it',
    text: `The \`path\` and the \`{x}\` of it.\n${envelope}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'F67',
    name: 'other fences before it',
    text: `\`\`\`bash\nls\n\`\`\`\n\`\`\`python\nx = {"a": 1}\n\`\`\`\n\`\`\`json\n${envelope}\n\`\`\``,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'F68',
    name: 'data with a name is no call',
    text: '```json\n{"name":"read_file","version":"1.0.0","arguments":{"path":"/a"}}\n```',
    expected: { type: 'text' },
  },
  {
    source: 'F68',
    name: 'a list of people is no call',
    text: '[{"name":"Ann"},{"name":"Bob"}]',
    expected: { type: 'text' },
  },
  {
    source: 'F69',
    name: 'shown in a code block of another language',
    text: `\`\`\`python\n${envelope}\n\`\`\``,
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  { source: 'F70', name: 'an empty list', text: '{"tool_calls":[]}', expected: { type: 'text' } },
  { source: 'R6', name: 'a list without any object', text: '{"tool_calls":[1,"a",null]}', expected: { type: 'text' } },
  {
    source: 'F71',
    name: 'a single object',
    text: `{"tool_calls":${read}}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['unwrapped'] }] },
  },
  {
    source: 'F72',
    name: 'a JSON text',
    text: JSON.stringify({ tool_calls: `[${read}]` }),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['double-encoded'] }] },
  },
  {
    source: 'F73',
    name: 'function_call',
    text: `{"type":"function_call","function_call":${read}}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['unwrapped'] }] },
  },
  {
    source: 'F73',
    name: 'tool_call',
    text: `{"tool_call":${read}}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['unwrapped'] }] },
  },
  {
    source: 'F74',
    name: 'after an empty think block',
    text: `<think>\n\n</think>\n\n${JSON.stringify(JSON.parse(envelope), null, 2)}`,
    expected: { type: 'tool_call', calls: [A] },
  },
  {
    source: 'F77',
    name: 'a bracket inside an argument',
    text: '{"tool_calls":[{"name":"write_file","arguments":{"path":"/a","content":"[{\\"name\\":"}}]}',
    expected: { type: 'tool_call', calls: [{ name: 'write_file', arguments: { path: '/a', content: '[{"name":' } }] },
  },
  {
    source: 'F78',
    name: 'the second call cut off',
    text: `{"tool_calls":[${read},{"name":"write_file","arguments":{"path":"/b","content":"abc`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F53',
    name: 'cut inside a string',
    text: '{"tool_calls":[{"name":"write_file","arguments":{"path":"/b","content":"abc',
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: 'F54',
    name: 'cut between containers',
    text: '{"tool_calls":[{"name":"draw","arguments":{"tags":["npm install","npm test"',
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: 'F18',
    name: 'a missing brace before the closing fence',
    text: `\`\`\`json\n{"tool_calls":[{"name":"read_file","arguments":{"path":"/a"}\n\`\`\``,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['missing-bracket'] }] },
  },
  {
    source: 'F18',
    name: 'a missing brace before the list ends',
    text: '{"tool_calls":[{"name":"read_file","arguments":{"path":"/a"}]}',
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['missing-bracket'] }] },
  },
  {
    source: 'F17',
    name: 'a brace too many',
    text: `${envelope}}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['extra-bracket'] }] },
  },
  {
    source: 'F79',
    name: 'braces in prose around it',
    text: `Use {curly} braces: {"a": 1}.\n${envelope}\nThat was {it}.`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'F80',
    name: 'the same envelope twice',
    text: `${envelope}\n${envelope}`,
    expected: { type: 'tool_call', calls: [A, { ...A, problem: 'duplicate' }] },
  },
  {
    source: 'F32',
    name: 'two envelopes back to back',
    text: `${envelope}{"tool_calls":[${list}]}`,
    expected: { type: 'tool_call', calls: [A, B] },
  },
  {
    source: 'R6',
    name: 'other keys beside the list',
    text: `{"thought":"I need {a}","tool_calls":[${read}],"done":false}`,
    expected: { type: 'tool_call', calls: [A] },
  },
  { source: 'R6', name: 'an inner object is no envelope', text: `{"example":${envelope}}`, expected: { type: 'text' } },
  {
    source: 'R6',
    name: 'an element without a name',
    text: `{"tool_calls":[{"arguments":{"path":"/a"}},${read}]}`,
    expected: { type: 'mixed', calls: [A], broken: ['missing-name'] },
  },
  {
    source: 'R1–19',
    name: 'ids by slot, own ids where unique',
    text: `{"tool_calls":[{"id":"x","name":"get_time"},{"id":"x","name":"get_time"},{"id":"y","name":"get_time"}]}`,
    expected: {
      calls: [
        { name: 'get_time', arguments: {} },
        { name: 'get_time', arguments: {} },
        { name: 'get_time', arguments: {} },
      ],
    },
  },
  {
    source: 'F101',
    name: 'invented results after a call',
    text: `${envelope}\nObservation: it says hi\n{"tool_calls":[${list}]}`,
    expected: { type: 'mixed', calls: [A, { ...B, standing: 'quoted' }] },
  },
  {
    source: 'R12',
    name: 'its own result frame invented',
    text: `${envelope}\n{"tool_call_result":{"toolCallId":"call_1","result":"hi"}}\n{"tool_calls":[${list}]}`,
    expected: { type: 'mixed', calls: [A, { ...B, standing: 'quoted' }] },
  },
  {
    source: 'F102',
    name: 'inside reasoning',
    text: `<think>maybe ${envelope}</think>\nNo.`,
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  {
    source: 'F103',
    name: 'only the closer of reasoning',
    text: `I could ${envelope}\n</think>\n{"tool_calls":[${list}]}`,
    expected: { type: 'mixed', calls: [{ ...A, standing: 'quoted' }, B] },
  },
  {
    source: '§2',
    name: 'unclosed reasoning',
    text: `<think>so\n${envelope}`,
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  {
    source: 'F104',
    name: 'think tags as data',
    text: '{"tool_calls":[{"name":"write_file","arguments":{"path":"/a","content":"a <think>x</think>\\n<think>\\n b"}}]}',
    expected: {
      type: 'tool_call',
      calls: [{ name: 'write_file', arguments: { path: '/a', content: 'a <think>x</think>\n<think>\n b' } }],
    },
  },
  {
    source: 'F124',
    name: 'a think tag in the middle of prose',
    text: `The <think> tag is odd.\n${envelope}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'R21',
    name: 'in a quotation over lines',
    text: `> {"tool_calls":[\n> ${read}\n> ]}\n\nok`,
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  {
    source: '§1',
    name: 'in inline code',
    text: `Write \`${envelope}\` to read.`,
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  { source: 'F23', name: 'a byte order mark before it', text: `\ufeff${envelope}`, expected: { calls: [A] } },
  {
    source: 'F145',
    name: 'an unknown tool',
    text: '{"tool_calls":[{"name":"readfil","arguments":{"path":"/a"}}]}',
    expected: { type: 'tool_call', calls: [{ name: 'readfil', arguments: { path: '/a' }, problem: 'unknown-tool' }] },
  },
  {
    source: '§1',
    name: 'a disabled tool',
    text: '{"tool_calls":[{"name":"delete_path","arguments":{"path":"/a"}}]}',
    expected: {
      type: 'tool_call',
      calls: [{ name: 'delete_path', arguments: { path: '/a' }, problem: 'disabled-tool' }],
    },
  },
  {
    source: '§1',
    name: 'a missing parameter',
    text: '{"tool_calls":[{"name":"read_file","arguments":{}}]}',
    expected: { type: 'tool_call', calls: [{ name: 'read_file', arguments: {}, problem: 'invalid-arguments' }] },
  },
  {
    source: 'F53',
    name: 'a cut string, then a new envelope',
    text: `{"tool_calls":[{"name":"write_file","arguments":{"path":"/b","content":"abc\n{"tool_calls":[${read}]}`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: '§2',
    name: 'prose with an unclosed quote before it',
    text: `He wrote {"note": "unclosed.\n\n${envelope}`,
    expected: { type: 'mixed', calls: [A] },
  },
]
