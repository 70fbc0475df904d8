import type { ReplyCase } from '../testing/outline'

const S = '<<<[TOOL_REQUEST]>>>'
const E = '<<<[END_TOOL_REQUEST]>>>'
const block = (...fields: readonly string[]): string => `${S}\n${fields.join('\n')}\n${E}`
const f = (key: string, value: string): string => `${key}:「始」${value}「末」`
const read = block(`${f('tool_name', 'read_file')},`, f('path', '/a'))
const A = { name: 'read_file', arguments: { path: '/a' } }
const W = (content: string) => ({ name: 'write_file', arguments: { path: '/a', content } })
const write = (field: string): string => block(f('tool_name', 'write_file'), f('path', '/a'), field)

export const vcpCases: readonly ReplyCase[] = [
  {
    source: 'F91',
    name: 'the markers in prose',
    text: `A block begins with ${S} and ends with ${E}.\n${read}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'F110',
    name: 'a value closed by the opening mark',
    text: block('tool_name:「始」write_file「始」,', f('path', '/a')),
    expected: { type: 'text', broken: ['truncated'] },
  },
  { source: '§3', name: 'one call', text: read, expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }] } },
  {
    source: '§3',
    name: 'between prose',
    text: `Ja.\n${read}\nok`,
    expected: { type: 'mixed', calls: [A], text: 'Ja.\n\nok' },
  },
  {
    source: '§3',
    name: 'all on one line',
    text: `${S}${f('tool_name', 'read_file')},${f('path', '/a')}${E}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: [] }] },
  },
  {
    source: '§3',
    name: 'by its command name',
    text: read.replace('read_file', 'ReadFile'),
    expected: { calls: [{ ...A, repairs: [] }] },
  },
  {
    source: '§3',
    name: 'toolId and command name a method',
    text: block(f('toolId', 'read'), f('command', 'file'), f('path', '/a')),
    expected: { calls: [A] },
  },
  {
    source: 'F106',
    name: 'no block markers',
    text: `${f('tool_name', 'read_file')},\n${f('path', '/a')}`,
    expected: { type: 'text', broken: ['missing-end'] },
  },
  {
    source: 'F107',
    name: 'full-width colon and comma',
    text: block('tool_name：「始」read_file「末」，', 'path：「始」/a「末」'),
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['full-width-punctuation'] }] },
  },
  {
    source: 'F108',
    name: 'two or four brackets, lower case',
    text: `<<[TOOL_REQUEST]>>\n${f('tool_name', 'read_file')}\n${f('path', '/a')}\n<<[END_TOOL_REQUEST]>>\n<<<<[tool_request]>>>>\n${f('tool_name', 'read_file')}\n${f('path', '/b')}\n<<<<[end_tool_request]>>>>`,
    expected: {
      type: 'tool_call',
      calls: [
        { ...A, repairs: ['marker-variant'] },
        { name: 'read_file', arguments: { path: '/b' }, repairs: ['marker-variant'] },
      ],
    },
  },
  {
    source: 'F109',
    name: 'other brackets are no fields',
    text: block('tool_name:{始}read_file{末}', 'path:『始』/a『末』'),
    expected: { type: 'text' },
  },
  {
    source: 'F110',
    name: 'the end of a field forgotten',
    text: block('tool_name:「始」read_file', f('path', '/a')),
    expected: { type: 'text', broken: ['truncated'] },
  },
  {
    source: 'F110',
    name: 'the end of a value forgotten, then a good block',
    text: `${block(f('tool_name', 'write_file'), 'path:「始」/a', f('content', 'x'))}\n${read}`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F111',
    name: 'the end of the last field forgotten',
    text: `${block(f('tool_name', 'write_file'), f('path', '/a'), 'content:「始」x')}\n${read}`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F112',
    name: 'the end marker missing',
    text: read.replace(E, ''),
    expected: { type: 'text', broken: ['missing-end'] },
  },
  {
    source: 'F112',
    name: 'the end marker cut',
    text: read.slice(0, -10),
    expected: { type: 'text', broken: ['missing-end'] },
  },
  {
    source: 'R1',
    name: 'the last field, prose, no end',
    text: `${read.replace(E, '')}Now I wait.`,
    expected: { type: 'text', broken: ['missing-end'] },
  },
  {
    source: 'F113',
    name: 'an unclosed block before a good one',
    text: `${S}\n${f('tool_name', 'get_time')}\n\n${read}`,
    expected: { type: 'mixed', calls: [A], broken: ['missing-end'] },
  },
  {
    source: 'F114',
    name: 'the end marker inside a value',
    text: write(f('content', `Ends with ${E} always`)),
    expected: { type: 'tool_call', calls: [W(`Ends with ${E} always`)] },
  },
  {
    source: 'F114',
    name: 'a whole example inside a value',
    text: write(f('content', `Example:\n${read}\ndone`)),
    expected: { type: 'tool_call', calls: [W(`Example:\n${read}\ndone`)] },
  },
  {
    source: 'F115',
    name: 'the field end inside a value',
    text: write(f('content', 'close with 「末」 at the end')),
    expected: { type: 'tool_call', calls: [W('close with 「末」 at the end')] },
  },
  {
    source: 'F116',
    name: 'ESCAPE and exp fields',
    text: `${write(`content:「始ESCAPE」${read}「末ESCAPE」`)}\n${write('content:「始exp」a「末」,\nb:「始」「末exp」')}`,
    expected: { type: 'tool_call', calls: [W(read), W('a「末」,\nb:「始」')] },
  },
  {
    source: '§3',
    name: 'literal markers',
    text: write('content:「始ESCAPE」<<<[TOOL_REQUEST_ESCAPE]>>>x<<<[END_TOOL_REQUEST_ESCAPE]>>>「末ESCAPE」'),
    expected: { calls: [W(`${S}x${E}`)] },
  },
  {
    source: '§3',
    name: 'a literal block is text',
    text: `<<<[TOOL_REQUEST_ESCAPE]>>>\n${f('tool_name', 'read_file')}\n<<<[END_TOOL_REQUEST_ESCAPE]>>>`,
    expected: { type: 'text' },
  },
  {
    source: 'F117',
    name: 'comments between fields',
    text: block(`${f('tool_name', 'read_file')}, // the tool: name`, `${f('path', '/a')} // path: value`),
    expected: { type: 'tool_call', calls: [A] },
  },
  {
    source: 'F118',
    name: 'a Chinese key',
    text: block(f('tool_name', 'open_tool'), f('路径', '/a')),
    expected: { calls: [{ name: 'open_tool', arguments: { 路径: '/a' }, problem: 'unknown-tool' }] },
  },
  {
    source: 'F119',
    name: 'a hyphenated key',
    text: block(f('tool_name', 'draw'), f('image-size', '3')),
    expected: { type: 'tool_call', calls: [{ name: 'draw', arguments: { image_size: 3 }, repairs: [] }] },
  },
  ...['toolName', 'Tool_Name', 'TOOL-NAME'].map((key): ReplyCase => ({
    source: 'F119',
    name: `${key} for tool_name`,
    text: read.replace('tool_name', key),
    expected: { calls: [{ ...A, repairs: ['alias-key'] }] },
  })),
  {
    source: 'F119',
    name: 'quoted keys',
    text: block('"tool_name":「始」read_file「末」', '"path":「始」/a「末」'),
    expected: { calls: [{ ...A, repairs: ['alias-key'] }] },
  },
  {
    source: 'F120',
    name: 'indentation and one newline each side',
    text: write('content:「始」\n  a\n    b\n\n「末」'),
    expected: { calls: [W('  a\n    b\n')] },
  },
  {
    source: 'R4',
    name: 'CRLF is one newline',
    text: write('content:「始」\r\n a \r\n「末」'),
    expected: { calls: [W(' a ')] },
  },
  { source: '§3', name: 'an empty value', text: write(f('content', '')), expected: { calls: [W('')] } },
  {
    source: 'F121',
    name: 'JSON in the block',
    text: `${S}\n{"name":"read_file","arguments":{"path":"/a"}}\n${E}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['json-body'] }] },
  },
  {
    source: 'F122',
    name: 'blocks inside a result frame',
    text: `[[VCP调用结果信息汇总:\n- 返回内容: ${read}\nVCP调用结果结束]]\n${read.replace('/a', '/b')}`,
    expected: {
      type: 'mixed',
      calls: [
        { ...A, standing: 'quoted' },
        { name: 'read_file', arguments: { path: '/b' } },
      ],
    },
  },
  {
    source: 'R12',
    name: 'after an invented result',
    text: `${read}\n[[VCP调用结果信息汇总:\nok VCP调用结果结束]]\n${read}`,
    expected: { type: 'mixed', calls: [A, { ...A, standing: 'quoted' }] },
  },
  {
    source: 'F123',
    name: 'in a code fence',
    text: `\`\`\`\n${read}\n\`\`\``,
    expected: { type: 'text', calls: [{ ...A, standing: 'quoted' }] },
  },
  {
    source: '§3',
    name: 'in its own fence',
    text: `\`\`\`VCPToolCall\n${read}\n\`\`\``,
    expected: { type: 'tool_call', calls: [A] },
  },
  {
    source: 'F123',
    name: 'the marker in inline code',
    text: `Begin with \`${S}\` then.\n${read}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: 'F124',
    name: 'a think tag in the middle of prose',
    text: `The <think> tag.\n${read}`,
    expected: { type: 'mixed', calls: [A] },
  },
  {
    source: '§3',
    name: 'the last of equal fields',
    text: block(f('tool_name', 'read_file'), f('path', '/old'), f('path', '/a')),
    expected: { calls: [{ ...A, repairs: ['duplicate-key'] }] },
  },
  {
    source: '§3',
    name: 'numbered fields are several calls',
    text: block(
      f('tool_name', 'write_file'),
      f('content', 'x'),
      f('command1', 'w'),
      f('path1', '/1'),
      f('command2', 'w'),
      f('path2', '/2'),
    ),
    expected: {
      type: 'tool_call',
      calls: [
        { name: 'write_file', arguments: { path: '/1', content: 'x' } },
        { name: 'write_file', arguments: { path: '/2', content: 'x' } },
      ],
    },
  },
  {
    source: '§3',
    name: 'control fields are no arguments',
    text: block(
      f('maid', 'Nova'),
      f('tool_name', 'read_file'),
      f('path', '/a'),
      f('archery', 'no_reply'),
      f('ink', 'mark_history'),
    ),
    expected: { calls: [{ ...A, repairs: [] }] },
  },
  {
    source: '§3',
    name: 'no tool_name',
    text: block(f('path', '/a')),
    expected: { type: 'text', broken: ['missing-name'] },
  },
  {
    source: 'R22',
    name: 'a placeholder',
    text: block(f('tool_name', 'read_file'), f('path', '...')),
    expected: { type: 'text', broken: ['placeholder'] },
  },
  {
    source: 'F50',
    name: 'prototype keys',
    text: block(f('tool_name', 'read_file'), f('path', '/a'), f('__proto__', 'x')),
    expected: { calls: [A] },
  },
  {
    source: 'F44',
    name: 'texts become what the tool wants',
    text: block(
      f('tool_name', 'draw'),
      f('image_size', '42'),
      f('visible', 'true'),
      f('tags', '["a"]'),
      f('style', '{"a":1}'),
    ),
    expected: { calls: [{ name: 'draw', arguments: { image_size: 42, visible: true, tags: ['a'], style: { a: 1 } } }] },
  },
  {
    source: 'F125',
    name: 'text after a result frame is text again',
    text: `[[VCP调用结果信息汇总:\nx VCP调用结果结束]]\nSo it is.`,
    expected: { type: 'text' },
  },
]
