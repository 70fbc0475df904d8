import type { ExpectedCall, ReplyCase } from '../testing/outline'

const A = { name: 'read_file', arguments: { path: '/a' } }
const B = { name: 'list_directory', arguments: { path: '/' } }
const action = (body: string, name = 'write_file'): string => `<tool_action name="${name}">${body}</tool_action>`
const read = action('<path value="/a" />', 'read_file')
const list = action('<path value="/" />', 'list_directory')
const path = '<path value="/a" />'
const W = (content: string, repairs?: readonly string[]) => ({
  name: 'write_file',
  arguments: { path: '/a', content },
  ...(repairs ? { repairs } : {}),
})
const one = (source: string, name: string, text: string, call: ExpectedCall): ReplyCase => ({
  source,
  name,
  text,
  expected: { type: 'tool_call', calls: [call], text: '' },
})
const broken = (source: string, name: string, text: string, reason: string): ReplyCase => ({
  source,
  name,
  text,
  expected: { type: 'text', broken: [reason] },
})

export const toolActionCases: readonly ReplyCase[] = [
  one('§3', 'one call', read, { ...A, repairs: [] }),
  {
    source: '§3',
    name: 'two calls and prose',
    text: `I look.\n${read}\n${list}\nSo.`,
    expected: { type: 'mixed', calls: [A, B], text: 'I look.\n\n\nSo.' },
  },
  {
    source: '§3',
    name: 'self-closing, without arguments',
    text: '<tool_action name="get_time" />',
    expected: { type: 'tool_call', calls: [{ name: 'get_time', arguments: {}, repairs: [] }] },
  },
  {
    source: 'F140',
    name: 'empty, without arguments',
    text: action('', 'get_time'),
    expected: { type: 'tool_call', calls: [{ name: 'get_time', arguments: {}, repairs: [] }] },
  },
  one('F140', 'a self-closing parameter is empty', action(`${path}<content/>`), W('', [])),
  one('R13', 'param with a name', action('<param name="path" value="/a" />', 'read_file'), A),
  one('R13', 'value before name', action('<param value="/a" name="path" />', 'read_file'), A),
  one('R13', 'parameter with a name and a text', action('<parameter name="path">/a</parameter>', 'read_file'), A),
  {
    source: 'F143',
    name: 'param without a name for a tool of one parameter',
    text: action('<param value="/" />', 'list_directory'),
    expected: { type: 'tool_call', calls: [{ ...B, repairs: ['alias-key'] }] },
  },
  {
    source: '§3',
    name: 'no name is text',
    text: '<tool_action><path value="/a" /></tool_action> and <tool_action>',
    expected: { type: 'text' },
  },
  {
    source: 'F91',
    name: 'the tag mentioned in prose',
    text: `Write <tool_action name="x"> to call.\n${read}`,
    expected: { type: 'mixed', calls: [A] },
  },
  one(
    'F126',
    'bare quotes and brackets in a value',
    action(`${path}<content value="if (a < b && c > "x")" />`),
    W('if (a < b && c > "x")', ['bare-quote']),
  ),
  one(
    'F126',
    'markup with bare quotes in a value',
    action(`${path}<content value="<img src="a" /> and <a href="b">c</a>" />`),
    W('<img src="a" /> and <a href="b">c</a>', ['bare-quote']),
  ),
  one('F126', 'a value up to the closer of its element', action('<path value="/a"></path>', 'read_file'), A),
  one('F127', 'line breaks in a value', action(`${path}<content value="\none\n two\n" />`), W('\none\n two\n', [])),
  one('F128', 'single quotes', `<tool_action name='read_file'><path value='/a'/></tool_action>`, A),
  one('F128', 'no quotes', `<tool_action name=read_file><path value=/a /></tool_action>`, A),
  one('F128', 'blanks around the sign', `<tool_action name = "read_file" ><path value = "/a" /></tool_action>`, A),
  one('F128', 'the other quote in a value', action(`${path}<content value='say "hi"' />`), W('say "hi"', [])),
  {
    source: '§3',
    name: 'entities are decoded once',
    text: action(`${path}<content value="&lt;a&gt; &amp;lt; &quot;&apos;&#39;&#x41; &nbsp;" />`),
    expected: { calls: [W("<a> &lt; \"''A &nbsp;", [])] },
  },
  one('F129', 'another closing name', action('<param name="path">/a</parameter>', 'read_file'), A),
  {
    source: 'F130',
    name: 'the closer is missing before the next call',
    text: `<tool_action name="read_file"><path value="/a" />\n${list}`,
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['missing-closer'] }, B] },
  },
  {
    source: 'F86',
    name: 'a wrong closer',
    text: '<tool_action name="read_file"><path value="/a" /></tool_call>',
    expected: { type: 'tool_call', calls: [{ ...A, repairs: ['wrong-closer'] }], text: '' },
  },
  one(
    'F131',
    'only one line break goes at each end',
    action(`${path}<content>\n\n  one\n    two\n\n</content>`),
    W('\n  one\n    two\n', []),
  ),
  one('F131', 'blanks stay', action(`${path}<content>  x  </content>`), W('  x  ', [])),
  one('F132', 'no line break at the start', action(`${path}<content>x\n</content>`), W('x', [])),
  one('F133', 'white space between elements', action(`\n\n  ${path}\n\t<content value="x" />\n`), W('x', [])),
  one('F135', 'a parameter without its closer', action('<path>/a<content>x</content>'), W('x', ['missing-closer'])),
  one(
    'F136',
    'its own closer as data',
    action(`${path}<content>a </content> b </tool_actions></content>`),
    W('a </content> b </tool_actions>'),
  ),
  one(
    'F136',
    'an example of a call as data',
    action(`${path}<content>Do: ${read} so.</content>`),
    W(`Do: ${read} so.`),
  ),
  one(
    'F137',
    'bare angle brackets in a text',
    action(`${path}<content>if (a<b) <i>x</i></content>`),
    W('if (a<b) <i>x</i>'),
  ),
  {
    source: 'F138',
    name: 'hyphenated and dotted parameters',
    text: action('<-A value="1" /><weather.v2 value="2" />', 'nobody'),
    expected: { calls: [{ name: 'nobody', arguments: { '-A': '1', 'weather.v2': '2' }, problem: 'unknown-tool' }] },
  },
  {
    source: 'F139',
    name: 'a parameter twice: a list by schema, else the last',
    text: action('<tags value="a" /><tags>b</tags><scale value="1" /><scale value="2" />', 'draw'),
    expected: { calls: [{ name: 'draw', arguments: { tags: ['a', 'b'], scale: 2 }, repairs: ['duplicate-key'] }] },
  },
  one(
    'F141',
    'CDATA',
    action(`${path}<content><![CDATA[\na </content> &amp; b\n]]></content>`),
    W('a </content> &amp; b', []),
  ),
  {
    source: 'F142',
    name: 'tags that only look alike',
    text: '<tool_actions name="x"> <toolbar> <tool_action_x name="y"/>',
    expected: { type: 'text' },
  },
  {
    source: 'F144',
    name: 'a prefix before the tool’s name',
    text: action(path, 'functions.read_file'),
    expected: { calls: [{ ...A, repairs: ['name-normalised'] }] },
  },
  {
    source: 'F145',
    name: 'an unknown tool',
    text: action(path, 'readfil'),
    expected: { type: 'tool_call', calls: [{ name: 'readfil', arguments: { path: '/a' }, problem: 'unknown-tool' }] },
  },
  {
    source: 'F88',
    name: 'upper case',
    text: '<TOOL_ACTION name="read_file"><path value="/a" /></Tool_Action>',
    expected: { calls: [{ ...A, repairs: ['tag-case'] }] },
  },
  {
    source: 'F41',
    name: 'parameters as attributes of the call',
    text: '<tool_action name="read_file" path="/a" />',
    expected: { calls: [{ ...A, repairs: ['flattened-arguments'] }] },
  },
  {
    source: 'F121',
    name: 'JSON between the tags',
    text: action('{"path":"/a",}', 'read_file'),
    expected: { calls: [{ ...A, repairs: ['json-body', 'trailing-comma'] }] },
  },
  {
    source: 'F44',
    name: 'numbers, lists and objects',
    text: action('<image_size value="3" /><points>[{"x":"1","y":2}]</points>', 'draw'),
    expected: { calls: [{ name: 'draw', arguments: { image_size: 3, points: [{ x: 1, y: 2 }] }, repairs: [] }] },
  },
  {
    source: 'F50',
    name: 'a prototype key',
    text: action('<path value="/a" /><__proto__ value="x" />', 'read_file'),
    expected: { calls: [{ ...A, repairs: [] }] },
  },
  broken('§3', 'no closer', `<tool_action name="read_file">${path}`, 'truncated'),
  broken('§3', 'no closer before prose', `<tool_action name="read_file">${path}\n\nNow I wait.`, 'truncated'),
  broken('F53', 'a value cut off', '<tool_action name="write_file"><path value="/a" /><content value="ha', 'truncated'),
  broken('F53', 'a text cut off', `<tool_action name="write_file">${path}<content>half of`, 'truncated'),
  broken('F85', 'a cut closer', `<tool_action name="read_file">${path}</tool_act`, 'truncated'),
  {
    source: 'F84',
    name: 'a value cut off by the next call',
    text: `<tool_action name="write_file">${path}<content value="half\n${read}`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  {
    source: 'F84',
    name: 'a text cut off by the next call',
    text: `<tool_action name="write_file">${path}<content>half\n${read}`,
    expected: { type: 'mixed', calls: [A], broken: ['truncated'] },
  },
  broken('R22', 'a placeholder as the name', action(path, '$TOOL_NAME'), 'placeholder'),
  broken('R22', 'a placeholder as a value', action('<path value="..." />', 'read_file'), 'placeholder'),
  broken('F134', 'loose text between parameters', action('path>/a</path>', 'read_file'), 'bad-arguments'),
  {
    source: 'F90',
    name: 'an example in a fence, in inline code',
    text: `\`\`\`xml\n${read}\n\`\`\`\nor \`${list}\``,
    expected: {
      type: 'text',
      calls: [
        { ...A, standing: 'quoted' },
        { ...B, standing: 'quoted' },
      ],
    },
  },
  {
    source: 'F102',
    name: 'in reasoning',
    text: `<think>\n${read}\n</think>\n${list}`,
    expected: { type: 'mixed', calls: [{ ...A, standing: 'quoted' }, B] },
  },
  {
    source: 'F101',
    name: 'an invented result',
    text: `${read}\n<tool_action_result name="read_file">\nx\n</tool_action_result>\n${list}`,
    expected: { type: 'mixed', calls: [A, { ...B, standing: 'quoted' }] },
  },
]
