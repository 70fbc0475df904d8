import type { ReplyCase } from '../testing/outline'
import { closeFrame, openFrame } from './frame'

const frame = (args: string, name = 'read_file', id: string | null = null): string =>
  `${openFrame(id, name)}${args}${closeFrame()}`
const A = { name: 'read_file', arguments: { path: '/a' } }
const B = { name: 'write_file', arguments: { path: '/b', content: 'x' } }
const callA = frame('{"path":"/a"}')
const callB = frame('{"path":"/b","content":"x"}', 'write_file')

/** Replies in which a provider's own calls stand as frames. */
export const nativeCases: readonly ReplyCase[] = [
  { source: '§1', name: 'a call alone', text: callA, expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }] } },
  {
    source: '§1',
    name: 'words, then two calls',
    text: `I look.${callA}${callB}`,
    expected: { type: 'mixed', calls: [A, B], text: 'I look.' },
  },
  {
    source: '§1',
    name: 'words after the calls',
    text: `${callA}Then I wait.`,
    expected: { type: 'mixed', calls: [A], text: 'Then I wait.' },
  },
  {
    source: '§1',
    name: 'what the provider wants back, on the closing line',
    text: `${openFrame('c1', 'read_file')}{"path":"/a"}${closeFrame({ google: { thoughtSignature: 's{}' } })}on`,
    expected: { type: 'mixed', calls: [{ ...A, repairs: [] }], text: 'on' },
  },
  {
    source: '§1',
    name: 'an open code fence before it does not quote it',
    text: `Look:\n\n\`\`\`json\n${callA}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: '§1',
    name: 'open thoughts before it do not quote it',
    text: `<think>\nI should read it.\n${callA}`,
    expected: { type: 'tool_call', calls: [A], text: '' },
  },
  {
    source: 'F103',
    name: 'a lone closer of thoughts after it leaves it alone',
    text: `${callA}so.\n</think>\nDone.`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'F101',
    name: 'an invented result before it',
    text: `${callA}\nObservation: it says x.\n${callB}`,
    expected: { type: 'mixed', calls: [A, B] },
  },
  {
    source: '§1',
    name: 'half a call of another dialect does not swallow it',
    text: `{"tool_calls":[{"name":"read_file","arguments":{"path":"${callA}"}}]}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: '§9',
    name: 'a call that is only written',
    text: '<tool_code>{"name":"read_file","arguments":{"path":"/a"}}</tool_code>',
    expected: { type: 'text', calls: [{ ...A, standing: 'foreign', dialect: 'XML_Tag' }] },
  },
  {
    source: '§9',
    name: 'a written call beside a real one',
    text: `<tool_call>\n{"name":"read_file","arguments":{"path":"/a"}}\n</tool_call>\n${callB}`,
    expected: { type: 'mixed', calls: [{ ...A, standing: 'foreign', dialect: 'hermes' }, B] },
  },
  {
    source: 'F53',
    name: 'cut off inside the arguments',
    text: `I write.${openFrame('c1', 'write_file')}{"path":"/a","content":"half`,
    expected: { type: 'text', broken: ['truncated'], text: 'I write.' },
  },
  {
    source: 'F53',
    name: 'cut off right before its end',
    text: `${openFrame('c1', 'read_file')}{"path":"/a"}`,
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: 'F53',
    name: 'cut off by the length limit, closed by the provider',
    text: `${callA}${frame('{"path":"/a","content":"half', 'write_file')}`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F78',
    name: 'one is cut off, the next is whole',
    text: `${openFrame('c1', 'write_file')}{"path":"/a","cont${callA}`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F30',
    name: 'no arguments at all',
    text: frame('', 'get_time'),
    expected: { type: 'tool_call', calls: [{ name: 'get_time', arguments: {}, repairs: [] }] },
  },
  {
    source: 'F30',
    name: 'null as arguments',
    text: frame('null', 'get_time'),
    expected: { type: 'tool_call', calls: [{ name: 'get_time', arguments: {} }] },
  },
  {
    source: 'F34',
    name: 'arguments as a JSON text',
    text: frame('"{\\"path\\":\\"/a\\"}"'),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['double-encoded'] }] },
  },
  {
    source: 'F89',
    name: 'arguments in a code fence',
    text: frame('```json\n{"path":"/a"}\n```'),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['fenced-body'] }] },
  },
  {
    source: 'F1',
    name: 'a raw line break, a trailing comma',
    text: frame('{"path":"/b","content":"x\ny",}', 'write_file'),
    expected: {
      type: 'tool_call',
      calls: [
        {
          name: 'write_file',
          arguments: { path: '/b', content: 'x\ny' },
          repairs: ['raw-newline', 'trailing-comma'],
        },
      ],
    },
  },
  {
    source: 'F2',
    name: 'bare quotes',
    text: frame('{"path":"/b","content":"say "hi" now"}', 'write_file'),
    expected: {
      calls: [{ name: 'write_file', arguments: { path: '/b', content: 'say "hi" now' }, repairs: ['bare-quote'] }],
    },
  },
  {
    source: '§2',
    name: 'a bracket too many',
    text: frame('{"path":"/a"}}'),
    expected: { calls: [{ ...A, repairs: ['extra-bracket'] }] },
  },
  {
    source: '§2',
    name: 'the arguments twice',
    text: frame('{"path":"/a"}{"path":"/a"}'),
    expected: { calls: [{ ...A, repairs: ['noise'] }] },
  },
  {
    source: '§2',
    name: 'two different objects: nobody knows which is meant',
    text: frame('{"path":"/a"}{"path":"/b"}'),
    expected: { type: 'text', broken: ['bad-json'] },
  },
  {
    source: '§2',
    name: 'a list as arguments',
    text: frame('["/a"]'),
    expected: { type: 'text', broken: ['bad-arguments'] },
  },
  { source: 'R22', name: 'a placeholder', text: frame('{"path":"..."}'), expected: { broken: ['placeholder'] } },
  { source: '§1', name: 'no name', text: frame('{}', ' '), expected: { broken: ['missing-name'] } },
  {
    source: 'F144',
    name: 'a name with a prefix, a number as text',
    text: frame('{"path":"/a","limit":"5"}', 'functions.read_file'),
    expected: {
      calls: [{ name: 'read_file', arguments: { path: '/a', limit: 5 }, repairs: ['name-normalised'] }],
    },
  },
  {
    source: 'F145',
    name: 'an unknown tool',
    text: frame('{}', 'readfil'),
    expected: { type: 'tool_call', calls: [{ name: 'readfil', arguments: {}, problem: 'unknown-tool' }] },
  },
  {
    source: '§1',
    name: 'wrong arguments',
    text: frame('{"limit":1}'),
    expected: { calls: [{ name: 'read_file', arguments: { limit: 1 }, problem: 'invalid-arguments' }] },
  },
  {
    source: '§1',
    name: 'a tool that is turned off',
    text: frame('{"path":"/a"}', 'delete_path'),
    expected: { calls: [{ name: 'delete_path', arguments: { path: '/a' }, problem: 'disabled-tool' }] },
  },
  {
    source: 'F80',
    name: 'the same call twice runs twice',
    text: callA + callA,
    expected: { type: 'tool_call', calls: [A, A] },
  },
  {
    source: '§1',
    name: 'a mark that opens nothing',
    text: 'a\u001eb \u001etool_call no\n \u001etool_call {"x":1}\nend',
    expected: { type: 'text', text: 'a\u001eb \u001etool_call no\n \u001etool_call {"x":1}\nend' },
  },
]
