import type { ReplyCase } from '../testing/outline'

const read = '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'
const list = '{"action":"tool_call","name":"list_directory","arguments":{"path":"/"}}'
const A = { name: 'read_file', arguments: { path: '/a' } }
const B = { name: 'list_directory', arguments: { path: '/' } }
const fence = (body: string, language = 'json'): string => `\`\`\`${language}\n${body}\n\`\`\``
const input = (value: string, action = 'read_file'): string => fence(`{"action":"${action}","action_input":${value}}`)

export const jsonActionCases: readonly ReplyCase[] = [
  {
    source: '§3',
    name: 'a fenced object',
    text: fence(read),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }], text: '' },
  },
  {
    source: '§3',
    name: 'bare in prose',
    text: `I look.\n${read}\nSo.`,
    expected: { type: 'mixed', calls: [{ ...A, repairs: ['missing-fence'] }], text: 'I look.\n\nSo.' },
  },
  {
    source: '§3',
    name: 'a bare list',
    text: `[${read},\n${list}]`,
    expected: {
      type: 'tool_call',
      calls: [
        { ...A, repairs: ['missing-fence'] },
        { ...B, repairs: ['missing-fence'] },
      ],
    },
  },
  {
    source: 'F146',
    name: 'the action is the tool’s name',
    text: input('{"path":"/a"}'),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['alias-key'] }] },
  },
  {
    source: 'F146',
    name: 'a known name without an input is data',
    text: fence('{"action":"read_file","path":"/a"}'),
    expected: { type: 'text' },
  },
  {
    source: 'F146',
    name: 'action_input beside the name',
    text: fence('{"action":"tool_call","name":"read_file","action_input":{"path":"/a"}}'),
    expected: { calls: [{ ...A, repairs: ['alias-key'] }] },
  },
  {
    source: 'F147',
    name: 'an input that is null',
    text: input('null', 'get_time'),
    expected: { calls: [{ name: 'get_time', arguments: {}, repairs: ['alias-key'] }] },
  },
  {
    source: 'F147',
    name: 'an input that is an empty text',
    text: input('""', 'get_time'),
    expected: { calls: [{ name: 'get_time', arguments: {}, repairs: ['alias-key'] }] },
  },
  {
    source: 'F147',
    name: 'an input that is JSON as a text',
    text: input('"{\\"path\\":\\"/a\\"}"'),
    expected: { calls: [{ ...A, repairs: ['alias-key', 'double-encoded'] }] },
  },
  {
    source: 'R9',
    name: 'a plain text for a tool of one parameter',
    text: input('"/"', 'list_directory'),
    expected: { calls: [{ ...B, repairs: ['alias-key', 'flattened-arguments'] }] },
  },
  {
    source: 'R9',
    name: 'a plain text for a tool of several parameters',
    text: input('"/a"'),
    expected: { type: 'text', broken: ['bad-arguments'] },
  },
  {
    source: 'R9',
    name: 'arguments that are a plain text',
    text: fence('{"action":"tool_call","name":"list_directory","arguments":"/"}'),
    expected: { type: 'text', broken: ['bad-arguments'] },
  },
  {
    source: 'F148',
    name: 'a list in one block',
    text: fence(`[${read}, ${list}]`),
    expected: {
      type: 'tool_call',
      calls: [
        { ...A, repairs: [] },
        { ...B, repairs: [] },
      ],
      text: '',
    },
  },
  {
    source: 'F148',
    name: 'two objects in one block',
    text: fence(`${read}\n${list}`),
    expected: { type: 'tool_call', calls: [A, B] },
  },
  {
    source: 'R7',
    name: 'the same block twice',
    text: `${fence(read)}\n${fence(read)}`,
    expected: { type: 'tool_call', calls: [A, { ...A, problem: 'duplicate' }] },
  },
  {
    source: '§3',
    name: 'a thought before the action',
    text: fence(`{"thought":"I look.",${read.slice(1)}`),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }] },
  },
  {
    source: 'F16',
    name: 'doubled braces',
    text: fence(`{${read.replace('}}', '}}}')}`),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['doubled-braces'] }] },
  },
  {
    source: 'F2',
    name: 'bare quotes in an input',
    text: input('{"path":"/a","content":"say "hi" now"}', 'write_file'),
    expected: {
      calls: [
        {
          name: 'write_file',
          arguments: { path: '/a', content: 'say "hi" now' },
          repairs: ['alias-key', 'bare-quote'],
        },
      ],
    },
  },
  {
    source: 'F148',
    name: 'a list whose objects begin with the name',
    text: fence('[{"name":"read_file","action":"tool_call","arguments":{"path":"/a"}}]'),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }], text: '' },
  },
  {
    source: '§3',
    name: 'a list of data',
    text: fence('[{"name":"a","type":"b"},{"name":"c","action":"run"}]'),
    expected: { type: 'text' },
  },
  {
    source: 'F149',
    name: 'an action and a final answer in one reply',
    text: `${fence(read)}\nObservation: it says x.\n${fence('{"action":"Final Answer","action_input":"x"}')}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'F150',
    name: 'a fence inside an argument',
    text: fence(
      '{"action":"tool_call","name":"write_file","arguments":{"path":"/a","content":"```py\nx\n```\n"}}',
      'json',
    ),
    expected: {
      type: 'tool_call',
      calls: [{ name: 'write_file', arguments: { path: '/a', content: '```py\nx\n```\n' }, repairs: ['raw-newline'] }],
    },
  },
  ...['', 'JSON', 'json5', 'jsonc', 'tool_call', 'tool_calls', 'tool_code'].map((language) => ({
    source: 'F151',
    name: `a fence of the language “${language}”`,
    text: fence(read, language),
    expected: { type: 'tool_call' as const, calls: [{ ...A, repairs: [] }], text: '' },
  })),
  {
    source: 'R16',
    name: 'a fence of another language',
    text: fence(read, 'yaml'),
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  {
    source: 'F152',
    name: 'data with an action',
    text: `${fence('{"action":"deploy","name":"read_file","arguments":{"path":"/a"}}')}\n{"Action":"s3:*","Effect":"Allow"}`,
    expected: { type: 'text' },
  },
  {
    source: 'F152',
    name: 'an action inside other data',
    text: fence(`{"steps":${read}}`),
    expected: { type: 'text' },
  },
  {
    source: 'R10',
    name: 'an unknown tool',
    text: fence('{"action":"tool_call","name":"readfil","arguments":{}}'),
    expected: { type: 'tool_call', calls: [{ name: 'readfil', arguments: {}, problem: 'unknown-tool' }] },
  },
  {
    source: 'F153',
    name: 'the prompt’s placeholders',
    text: fence('{"action":"tool_call","name":"$TOOL_NAME","arguments":{}}'),
    expected: { type: 'text', broken: ['placeholder'] },
  },
  {
    source: 'F153',
    name: 'placeholders of the LangChain form',
    text: fence('{"action":"$TOOL_NAME","action_input":"$INPUT"}'),
    expected: { type: 'text', broken: ['placeholder'] },
  },
  {
    source: 'R22',
    name: 'a placeholder as a value',
    text: input('{"path":"$PARAM"}'),
    expected: { type: 'text', broken: ['placeholder'] },
  },
  {
    source: 'F53',
    name: 'a text that was cut off',
    text: '```json\n{"action":"tool_call","name":"write_file","arguments":{"path":"/a","content":"half',
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: 'F78',
    name: 'a list that was cut off keeps its complete calls',
    text: `\`\`\`json\n[${read},\n{"action":"tool_call","name":"write_file","arguments":{"path":"/`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F53',
    name: 'a cut call, and a new one after it',
    text: `{"action":"tool_call","name":"write_file","arguments":{"path":"/a","content":"half\n${read}`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F101',
    name: 'an invented result',
    text: `${fence(read)}\n${fence('{"action":"tool_result","name":"read_file","result":"x"}')}\n${fence(list)}`,
    expected: { type: 'mixed', calls: [A, { ...B, standing: 'quoted' }] },
  },
  {
    source: 'R6',
    name: 'the envelope of another strategy',
    text: '{"tool_calls":[{"name":"read_file","arguments":{"path":"/a"}}]}',
    expected: { type: 'text', calls: [{ ...A, standing: 'foreign', dialect: 'JSON_Strict' }] },
  },
]
