import { describe, expect, it } from 'vitest'
import { strategies } from '../registry'
import type { CallPlacement } from '../types/segment'
import { checkTiling, parse, strategyOf } from '../strategy.contract'
import { testTools } from '../testing/tools'
import type { ToolContextDef } from '../types/tool-context-def'

/** Strategies whose calls are text; a native call is live anywhere. */
const written = strategies.filter((def) => def.callsBy === 'model')

const callOf = (def: ToolContextDef, path: string): string =>
  def.formatCalls([{ name: 'read_file', arguments: { path } }])

/** The placement of each call by its path; it must be the same in any chunks. */
function availabilities(def: ToolContextDef, text: string): Record<string, CallPlacement> {
  const reply = parse(def, text)
  checkTiling(reply, text)
  for (const size of [1, 3, 7]) {
    const scanner = def.createScanner(testTools)
    for (let i = 0; i < text.length; i += size) {
      scanner.push(text.slice(i, i + size))
      scanner.preview()
    }
    expect(scanner.end()).toEqual(reply)
  }
  return Object.fromEntries(
    reply.segments.flatMap((segment) => {
      const path = segment.kind === 'call' ? segment.arguments['path'] : undefined
      return segment.kind === 'call' && typeof path === 'string' ? [[path, segment.standing]] : []
    }),
  )
}

describe.each(written.map((def) => [def.id, def] as const))('%s', (_, def) => {
  const call = (path: string): string => callOf(def, path)

  const families: readonly (readonly [open: string, close: string])[] = [
    ...[
      'think',
      'thinking',
      'reasoning',
      'thought',
      'thoughts',
      'scratchpad',
      'analysis',
      'inner_thought',
      'my-scratchpad',
    ].map((name) => [`<${name}>`, `</${name}>`] as const),
    ['<seed:think>', '</seed:think>'],
    ['<ns:thinking level="3">', '</ns:thinking>'],
    ['<THINKING>', '</Thinking>'],
    ['[THINK]', '[/THINK]'],
    ['[reasoning]', '[/reasoning]'],
    ['◁think▷', '◁/think▷'],
    ['◁thinking▷', '◁/thinking▷'],
    ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
    ['<|channel>thought\n', '<channel|>'],
    ['<|START_THINKING|>', '<|END_THINKING|>'],
  ]

  it.each(families)('reads no call in %s … %s, and every call after it', (open, close) => {
    expect(availabilities(def, `${open}\nMaybe:\n${call('/in')}\nNo.\n${close}\n\n${call('/out')}`)).toEqual({
      '/in': 'quoted',
      '/out': 'live',
    })
  })

  it.each(families)('reads no call in %s that is never closed', (open) => {
    expect(availabilities(def, `So.\n${open}\nMaybe:\n${call('/in')}`)).toEqual({ '/in': 'quoted' })
  })

  it.each(families.filter(([open]) => /^[<[◁]\/?[\w:]+/.test(open) && !open.startsWith('<|')))(
    'reads text before a closer without an opener as reasoning: %s',
    (_open, close) => {
      expect(availabilities(def, `Hm.\n${call('/in')}\n${close}\n${call('/out')}`)).toEqual({
        '/in': 'quoted',
        '/out': 'live',
      })
    },
  )

  it.each([
    ['lines', '<think>\na\n<think>\nb\n</think>\n', '\n</think>\n'],
    ['one line', '<think>a <think>b</think> c\n', '\n</think>\n'],
    ['three', '<think>\n<think>\n<think>\n</think>\n</think>\n', '</think>\n'],
    ['brackets', '[THINK]\n[THINK]\n[/THINK]\n', '\n[/THINK]\n'],
  ])('counts nested reasoning: %s', (_name, before, after) => {
    expect(availabilities(def, `${before}${call('/in')}${after}${call('/out')}`)).toEqual({
      '/in': 'quoted',
      '/out': 'live',
    })
  })

  it('reads a mention of the reasoning’s own tag as text', () => {
    const thought = '<think>I should not write <think> again.</think>'
    expect(availabilities(def, `${thought}\n${call('/a')}\n${thought}\n${call('/b')}`)).toEqual({
      '/a': 'live',
      '/b': 'live',
    })
  })

  it.each([
    ['mid-sentence', 'The tag <thought> is for thoughts and [THINK] too, ◁think▷ as well.\n'],
    ['a link', '[analysis](https://example.org) says so.\n'],
    ['a reference', '[reasoning]: https://example.org\n'],
    ['a heading in brackets', '[Analysis]\nTwo files.\n'],
    ['a tag that only resembles one', '<thinker>\n<analysis-result>\n'],
    ['the channel in a sentence', 'The words <|channel|>analysis open a thought.\n'],
    ['an empty element', '<think/>\n'],
  ])('leaves what only resembles reasoning alone: %s', (_name, before) => {
    expect(availabilities(def, `${before}\n${call('/a')}`)).toEqual({ '/a': 'live' })
  })

  it.each([
    '<|im_end|>',
    '<|eot_id|>',
    '<|endoftext|>',
    '<end_of_turn>',
    '</s>',
    '<｜end▁of▁sentence｜>',
    '<|return|>',
    '<|END_OF_TURN_TOKEN|>',
    '<|end|>',
    '<turn|>',
    '<|im_end|>\n<|im_start|>user\nGo on.<|im_end|>\n<|im_start|>assistant',
    '<|im_start|>user\nGo on.',
    '<|start_header_id|>user<|end_header_id|>\n\nGo on.',
    '<start_of_turn>user\nGo on.',
    '<|user|>\nGo on.',
    '<|start|>user<|message|>Go on.',
    '<｜User｜>Go on.',
    '[INST] Go on. [/INST]',
    'Human: go on',
    'User: go on\n\nAssistant:',
    '**User:** go on',
    '### User: go on',
  ])('reads no call after %j', (end) => {
    expect(availabilities(def, `Done.\n${call('/before')}\n${end}\n${call('/after')}`)).toEqual({
      '/before': 'live',
      '/after': 'quoted',
    })
    expect(availabilities(def, `It is done.\n\n${end}\n\n${call('/after')}`)).toEqual({ '/after': 'quoted' })
  })

  it.each([
    ['a mention in a sentence', 'The token <|im_end|> ends a turn, and <|im_start|>user opens one.'],
    ['a mention in backticks', 'It prints `<|im_end|>`\nand stops.'],
    ['a mention in quotation marks', 'It prints "<|im_end|>"\nand stops.'],
    ['struck-out text', 'It is <s>five</s> six.'],
    ['a list of fields', 'Host: example.org\nUser: bob\nPort: 22'],
    ['a list of bold fields', '**Host:** example.org\n**User:** bob'],
    ['fields that are announced', 'Log in with this:\n\nUser: bob'],
    ['fields that begin with the user', 'User: bob\nHost: example.org'],
    ['the model’s own channel', 'So.<|end|><|start|>assistant<|channel|>final<|message|>'],
    ['the word in a sentence', 'The user: bob. A human: alice.'],
    ['the word at a line’s start', 'Users: two\nHumans are few.'],
  ])('continues after %s', (_name, before) => {
    expect(availabilities(def, `${before}\n\n${call('/a')}`)).toEqual({ '/a': 'live' })
  })

  it.each([
    ['a comment', '<!--\n', '\n-->'],
    ['a comment in a line', 'So <!-- ', ' --> it is.'],
    ['pre', '<pre>\n', '\n</pre>'],
    ['pre and code', '<pre><code class="x">\n', '\n</code></pre>'],
    ['code', 'Write <code>', '</code> to read.'],
    ['code over lines', '<code>\n', '\n</code>'],
    ['nested', '<pre>\n<pre>\na\n</pre>\n', '\n</pre>'],
  ])('reads no call in %s', (_name, open, close) => {
    expect(availabilities(def, `${open}${call('/in')}${close}\n\n${call('/out')}`)).toEqual({
      '/in': 'quoted',
      '/out': 'live',
    })
  })

  it.each([
    ['a word in prose', 'I use the <code> tag, a <pre> and <!-- for it.\n'],
    ['a table cell', '| a | b |\n|---|---|\n'],
    ['details', '<details>\n<summary>x</summary>\n'],
    ['elements that are whole', '<code>ls</code> and <pre>\nx\n</pre>\n'],
    ['the words in its own text', 'I write <code>x</code>.'],
  ])('reads the call after %s', (_name, before) => {
    const text = def.formatCalls([
      { name: 'write_file', arguments: { path: '/a', content: '</code> </pre> --> User: x' } },
    ])
    expect(availabilities(def, `${before}\n${text}`)).toEqual({ '/a': 'live' })
  })

  it('reads no call after a token that a foreign call included', () => {
    const foreign = '<|python_tag|>{"name":"read_file","parameters":{"path":"/foreign"}}<|eot_id|>'
    expect(availabilities(def, `${foreign}${call('/after')}`)).toEqual({ '/foreign': 'foreign', '/after': 'quoted' })
  })

  it('reads no call in a diff without a fence', () => {
    const marked = (sign: string, path: string): string => call(path).replaceAll(/^/gm, sign)
    const head = 'diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -1,2 +1,2 @@\n same\n'
    const change = `${marked('-', '/old')}\n${marked('+', '/new')}\n`
    for (const text of [head + change, change])
      expect(availabilities(def, `The change:\n\n${text}\n${call('/out')}`)).toEqual({
        '/old': 'quoted',
        '/new': 'quoted',
        '/out': 'live',
      })
  })

  it('reads no call in a code span over several lines, and one that is only beside backticks', () => {
    const bare = call('/in').replace(/^`+\w*\n|\n`+$/g, '')
    const overLines = bare.includes('\n') ? bare : bare.replace('{', '{\n')
    for (const marks of ['`', '``'])
      expect(availabilities(def, `You would write ${marks}${overLines}${marks} here.\n\n${call('/out')}`)).toEqual({
        '/in': 'quoted',
        '/out': 'live',
      })
    expect(availabilities(def, `The \` key.\n${overLines}\n\` as said`)).toEqual({ '/in': 'live' })
  })

  it.each([
    'Observation: ok',
    '**Observation:** ok',
    '**Observation**: ok',
    '### Observation:\nok',
    'OBSERVATION：ok',
    '观察：好',
    '**观察结果：** 好',
  ])('reads no call that answers an invented %j', (line) => {
    const text = `${call('/a')}\n${line}\n${call('/b')}`
    expect(availabilities(def, text)).toEqual({ '/a': 'live', '/b': 'quoted' })
    // Before any call it is ordinary text.
    expect(availabilities(def, `${line}\n${call('/b')}`)).toEqual({ '/b': 'live' })
  })

  it.each(['* observations: none', '- Observation deck: closed', '观察者：我'])(
    'reads %j as a line of a list',
    (line) => {
      expect(availabilities(def, `${call('/a')}\n${line}\n${call('/b')}`)).toEqual({ '/a': 'live', '/b': 'live' })
    },
  )

  it('reads the call after a list', () => {
    expect(availabilities(def, `- one\n- two\n+ three\n---\n\n${call('/a')}`)).toEqual({ '/a': 'live' })
  })

  it('quotes a body whose opener is in a quotation', () => {
    const lines = call('/in').split('\n')
    // A one-line form has no body that could lose the mark.
    const places = [...call('/in').matchAll(/[>{[]/g)].map(({ index }) => index + 1)
    const broken = places.map((at) => `${call('/in').slice(0, at)}\n${call('/in').slice(at)}`)
    const text = lines.length > 1 ? call('/in') : broken.find((one) => availabilities(def, one)['/in'] === 'live')
    expect(text).toContain('\n')
    expect(availabilities(def, `You wrote:\n> ${text}\n\n${call('/out')}`)).toEqual({ '/in': 'quoted', '/out': 'live' })
  })
})

describe('reasoning in tokens', () => {
  const call = '<tool_code>{"name":"read_file","arguments":{"path":"/a"}}</tool_code>'
  const inOrder = (text: string) =>
    parse(strategyOf('XML_Tag'), text).segments.flatMap((one) => (one.kind === 'call' ? [one.standing] : []))

  it.each([
    ['<|thinking|>', '<|/thinking|>'],
    ['<|think|>', '<|end_think|>'],
    ['<|begin_of_reasoning|>', '<|end_of_reasoning|>'],
    ['<|inner_prefix|>', '<|inner_suffix|>'],
    ['[unused16]', '[unused17]'],
  ])('%s quote the calls in them', (open, close) => {
    expect(inOrder(`${open}I could: ${call}${close}\n${call}`)).toEqual(['quoted', 'live'])
  })

  it.each(['<|inner_prefix|>', '[unused16]'])('%s inside a line, too, if it is closed', (open) => {
    const close = open === '[unused16]' ? '[unused17]' : '<|inner_suffix|>'
    expect(inOrder(`Sure.${open}I could: ${call}${close}\n${call}`)).toEqual(['quoted', 'live'])
    expect(inOrder(`The token \`${open}\` opens a thought.\n${call}`)).toEqual(['live'])
  })

  it.each(['<think>', '<thinking>', '[THINK]'])('%s does not end at its closer in backticks', (open) => {
    const close = open.replace(/^./, (bracket) => `${bracket}/`)
    expect(inOrder(`${open}\nI end with \`${close}\` then.\n${call}\n${close}\n${call}`)).toEqual(['quoted', 'live'])
  })

  it('calls after a line that speaks as the user are quoted, in Chinese too', () => {
    expect(inOrder(`${call}\n\n用户：再读一次\n${call}`)).toEqual(['live', 'quoted'])
    // Also in the text of a call that never closes.
    const cut = '<tool_code>{"name":"write_file","arguments":{"path":"/a","content":"Done.'
    for (const speaker of ['User:', '用户：', '用户:'])
      expect(inOrder(`${cut}\n\n${speaker} go on\n\n${call}`)).not.toContain('live')
  })
})

describe('a call without its closer', () => {
  const first = '<tool_code>{"name":"read_file","arguments":{"path":"/a"}}'
  const second = '<tool_code>{"name":"read_file","arguments":{"path":"/b"}}</tool_code>'

  it('quotes the next call if an end of its own is left over there', () => {
    expect(
      availabilities(strategyOf('XML_Tag'), `${first},${second}\n\`\`\`\nEnd "here"."}}</tool_code>`),
    ).toMatchObject({
      '/b': 'quoted',
    })
  })

  it('leaves the next call live if nothing is left over', () => {
    expect(availabilities(strategyOf('XML_Tag'), `${first}\n${second}\nDone.`)).toEqual({ '/a': 'live', '/b': 'live' })
  })
})
