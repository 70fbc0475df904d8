import messages from '@/lib/i18n/en/call-formats.json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countWork } from '@/lib/base/testing/count-work'
import { t } from '@/lib/i18n/t'
import { rounds } from '@/scripts/test/nightly'
import type { BrokenReason, RepairCode } from '../types/segment'
import { testTools } from '../testing/tools'
import { toolContextBuilder } from '../tool-context-builder'
import type { StrategyId } from '../types/tool-context-def'
import { strategyModules } from '../registry'
import { explainReply, type ReplyReading, type ReadingItem } from './explain-reply'
import { explainSegment } from './explain-segment'
import { writtenFormOf } from './explanation'

const read = (strategy: StrategyId, text: string, limit?: number): ReplyReading =>
  explainReply(text, toolContextBuilder.parseResponse(strategy, text, testTools), {
    strategy,
    tools: testTools,
    ...(limit === undefined ? {} : { limit }),
  })

const words = (item: Pick<ReadingItem, 'lines'> | undefined): string =>
  (item?.lines ?? [])
    .map(({ parts }) => parts.map((part) => (typeof part === 'string' ? part : part.code)).join(''))
    .join('\n')

const PICTURE = `<think>The folder first, then the file.</think>
I’ll look at the folder.
<tool_code>{"name": "list_directory", "arguments": {"path": "/notes",}}</tool_code>
By the way, reading a file looks like this:
\`\`\`xml
<tool_code>{"name": "read_file", "arguments": {"path": "/a.md"}}</tool_code>
\`\`\`
<tool_call>{"name": "read_file", "arguments": {"path": "/notes/a.md"}}</tool_call>
And I’ll save the plan:
<tool_code>{"name": "write_file", "arguments": {"path": "/notes/b.md", "content": "# Plan
1. Ask for the two rows`

describe('a reply with every kind of item', () => {
  const reading = read('XML_Tag', PICTURE)

  it('counts calls and non-calls', () => {
    expect(reading.summary).toBe('1 call, 3 that are not')
  })

  it('says what each part is and where it is', () => {
    expect(reading.items.map(({ title, name, place }) => [title, name, place])).toEqual([
      ['Reasoning', null, 'line 1'],
      ['Call', 'list_directory', 'line 3'],
      ['Example, not a call', 'read_file', 'lines 5 to 7'],
      ['Another format', 'read_file', 'line 8'],
      ['Can’t be read', 'write_file', 'line 11, column 24'],
    ])
  })

  it('explains why', () => {
    const [thought, call, example, foreign, broken] = reading.items
    expect(words(thought)).toBe('Between <think> and </think>. Never read for calls.')
    expect(words(call)).toContain(
      'In a chat, this is a card that waits for you. One repair: an extra comma was removed.',
    )
    expect(words(call)).toContain('path is "/notes". Matches the tool’s schema.')
    expect(words(example)).toContain('It is in a code block marked xml.')
    expect(words(example)).toContain(
      'In XML_Tag, a call in a code block is only an example, unless the block is marked tool_code.',
    )
    expect(words(foreign)).toContain('This looks like a Hermes call.')
    expect(words(foreign)).toContain('this is <tool_call>')
    expect(words(broken)).toContain('The reply ends in the middle of content.')
    expect(words(broken)).toContain('send smaller parts')
    expect(broken?.damage).toBe(PICTURE.length)
  })
})

describe('why text is not a call, or why a call can’t run', () => {
  const call = '<tool_code>{"name": "read_file", "arguments": {"path": "/a"}}</tool_code>'
  it.each([
    ['in a thought', `<think>\nmaybe ${call} here\n</think>`, 'in the model’s reasoning'],
    ['in a quotation', `> you said:\n> ${call}\n`, 'in a quotation'],
    ['in backticks', `Write \`${call}\` to read.`, 'in backticks'],
    ['in a comment', `So <!-- ${call} --> it is.`, 'in HTML, after <!--'],
    ['in a code element', `Write <code>${call}</code> to read.`, 'in HTML, after <code>'],
    ['in pre', `<pre>\n${call}\n</pre>`, 'in HTML, after <pre>'],
    ['in a diff', `@@ -1 +1 @@\n-x\n+${call}\n`, 'in a line of a diff'],
    ['after the end of the turn', `Done.<|im_end|>\n${call}`, 'after the model ended its turn'],
    ['after a line of the user', `Done.\n\nUser: go on\n${call}`, 'to write for another role'],
    ['in a bracketed thought', `[THINK]\nmaybe ${call} here\n[/THINK]`, 'in the model’s reasoning'],
    ['in a block without a language', `\`\`\`\n${call}\n\`\`\``, 'a code block without a language'],
    ['after an invented result', `${call}\nObservation: 42\n${call.replace('/a', '/b')}`, 'the model made up'],
    ['with an unknown tool', call.replace('read_file', 'readd_file'), 'Did it mean read_file'],
    ['with a tool that is off', call.replace('read_file', 'delete_path'), 'turned off'],
    ['with wrong arguments', call.replace('"path": "/a"', '"path": "/a", "limit": "many"'), 'cannot run like this'],
    [
      'with an unknown tool in another format',
      '<tool_call>{"name": "fly", "arguments": {}}</tool_call>',
      'There is no tool fly',
    ],
    [
      'written twice in one tag',
      call.replace('}}', '}}\n{"name": "read_file", "arguments": {"path": "/a"}}'),
      'already above',
    ],
  ])('%s', (_, text, expected) => {
    const { items } = read('XML_Tag', text)
    expect(items.map(words).join('\n')).toContain(expected)
  })

  it('counts a call that can’t run as a call and reports the problem', () => {
    expect(read('XML_Tag', call.replace('read_file', 'nope')).summary).toBe('1 call, which cannot run')
  })

  it('highlights only the call if the code block contains more', () => {
    const text = `\`\`\`xml\nfirst\n${call}\n\`\`\``
    const [item] = read('XML_Tag', text).items
    expect(text.slice(item?.start, item?.end)).toBe(call)
  })
})

describe('thoughts', () => {
  it.each([
    ['[THINK]\nhm\n[/THINK]\nok', 'Between [THINK] and [/THINK]. Never read for calls.'],
    ['<seed:think a="b">hm</seed:think>', 'Between <seed:think> and </seed:think>. Never read for calls.'],
    ['hm\n</thought>\nok', 'Everything before a lone </thought> is reasoning. Never read for calls.'],
    ['◁think▷hm', '◁think▷ is not closed, so everything after it is reasoning. Never read for calls.'],
    [
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>ok',
      'The channel that <|channel|>analysis opens. Never read for calls.',
    ],
  ])('in %j report their place', (text, expected) => {
    expect(words(read('XML_Tag', text).items[0])).toBe(expected)
  })
})

describe('text that looks like a call', () => {
  it.each<[string, StrategyId, string, string, string | null]>([
    [
      'JSON without the envelope',
      'JSON_Strict',
      'Now {"name": "read_files", "arguments": {"path": "/a"}} please',
      'the format around the call is missing',
      'read_files',
    ],
    [
      'JSON in a block of another language',
      'JSON_Strict',
      '```python\n{"name": "read_file", "arguments": {"path": "/a"}}\n```',
      'a code block marked python',
      'read_file',
    ],
    ['an empty list', 'JSON_Strict', '{"tool_calls": []}', 'needs no tool', null],
    ['arguments without a name', 'JSON_Strict', '{"arguments": {"path": "/a"}}', 'no tool name', null],
    ['a mention of the tag', 'XML_Tag', 'I would write <tool_code> here.', 'only mentioned', null],
    ['brackets of another kind', 'VCP', 'tool_name:『始』read_file『末』', 'a different kind of bracket', null],
    [
      'square brackets for the block',
      'VCP',
      '[TOOL_REQUEST] read [END_TOOL_REQUEST]',
      'a different kind of bracket',
      null,
    ],
    [
      'an unknown action',
      'JSON_Action',
      '{"action": "deploy", "arguments": {}}',
      'neither a call nor a tool',
      'deploy',
    ],
    [
      'a cut call of another format',
      'XML_Tag',
      '<tool_call>{"name": "read_file", "argum',
      'it is incomplete',
      'read_file',
    ],
    ['a Python call', 'XML_Tag', 'Then print(default_api.read_file(path="/a")) runs.', 'This is Python', 'read_file'],
  ])('%s', (_, strategy, text, expected, name) => {
    const { items, summary } = read(strategy, text)
    expect(items.map(words).join('\n')).toContain(expected)
    expect(items[0]?.name).toBe(name)
    expect(items[0]?.lines.length).toBeGreaterThan(1)
    expect(summary).toBe('no call, 1 that is not')
  })

  it.each([
    ['a file of settings', '{"name": "nod", "version": "1.0.0"}'],
    ['a tool’s name in a sentence', 'You can use read_file() for that.'],
    ['prose', 'The tool request was fine; nothing was called.'],
    ['an action of other data', '{"action": "opened", "number": 3}'],
  ])('leaves %s alone', (_, text) => {
    expect(read('JSON_Strict', text).items).toEqual([])
  })
})

describe('the explanations', () => {
  it('name every repair and every reason', () => {
    const base = {
      kind: 'call',
      start: 0,
      end: 0,
      id: 'a',
      name: 'x',
      arguments: {},
      standing: 'live',
      verdict: 'repaired',
      coercions: [],
      dialect: 'XML_Tag',
      problem: null,
    } as const
    const context = { text: '', strategy: 'XML_Tag', surrounding: { kind: 'none' } } as const
    const codes = Object.keys(messages).flatMap((key) => (key.startsWith('repair.') ? key.slice(7) : []))
    for (const code of codes as readonly RepairCode[]) {
      const { lines } = explainSegment({ ...base, repairs: [code] }, context)
      expect(words({ lines })).toContain(t(`repair.${code}`))
    }
    const reasons: readonly BrokenReason[] = [
      'truncated',
      'missing-end',
      'missing-name',
      'bad-json',
      'bad-arguments',
      'placeholder',
      'too-deep',
    ]
    for (const reason of reasons) {
      const { lines } = explainSegment(
        { kind: 'broken', start: 0, end: 0, reason, message: 'It broke. Nothing ran.' },
        context,
      )
      expect(words({ lines }).split('\n')).toEqual([
        expect.stringMatching(/\.$/),
        expect.stringContaining('“It broke.”'),
      ])
    }
  })

  it('list the values that were fitted to the schema', () => {
    const { items } = read(
      'XML_Tag',
      '<tool_code>{"name": "read_file", "arguments": {"path": "/a", "limit": "3"}}</tool_code>',
    )
    expect(words(items[0]).split('\n').length).toBe(3)
  })

  it.each(strategyModules)('agree with the reader of $id about code blocks', ({ id, dialect }) => {
    expect(writtenFormOf(id).fences).toEqual(dialect.fences)
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    '<tool_code>',
    '</tool_code>',
    '{"name": "read_file", "arguments": {',
    '}}',
    '```json\n',
    '\n```\n',
    '> ',
    '<think>',
    '</think>',
    '{"tool_calls": [',
    '<<<[TOOL_REQUEST]>>>',
    'path:「始」a「末」',
    '{始}',
    'read_file(path="a")',
    '"',
    '\n',
    'a ',
    '`',
  )

  it('returns ordered items within the text that do not overlap', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 40 }),
        fc.constantFrom(...toolContextBuilder.strategies.map((one) => one.id)),
        (parts, strategy) => {
          const text = parts.join('')
          let from = 0
          for (const { start, end, lines, damage } of read(strategy, text).items) {
            expect(start).toBeGreaterThanOrEqual(from)
            expect(end).toBeGreaterThan(start)
            expect(lines.length).toBeGreaterThan(0)
            if (damage !== null) expect(damage >= start && damage <= end).toBe(true)
            from = end
          }
          expect(from).toBeLessThanOrEqual(text.length)
        },
      ),
      { numRuns: rounds(400) },
    )
  })

  it.each([
    ['openers that never close', '{"name":"read_file","arguments":'],
    ['tags', '<tool_call> '],
    ['markers', '[TOOL_REQUEST] '],
    ['calls', '<tool_code>{"name":"read_file","arguments":{"path":"/a"}}</tool_code>'],
    ['bracket marks', '{始} '],
  ])('does work proportional to its length: %s', (_, piece) => {
    const work = (length: number): number => {
      const text = piece.repeat(Math.ceil(length / piece.length))
      const reply = toolContextBuilder.parseResponse('JSON_Strict', text, testTools)
      return countWork(() => explainReply(text, reply, { strategy: 'JSON_Strict', tools: testTools }))
    }
    const most = rounds(1_000_000)
    expect(work(most) / work(most / 10)).toBeLessThan(12)
  })

  it('explains up to the limit and counts all', () => {
    const text = '<tool_code>{"name":"get_time","arguments":{}}</tool_code>\n'.repeat(30)
    const reading = read('XML_Tag', text, 10)
    expect(reading.items).toHaveLength(10)
    expect(reading.hidden).toBe(20)
    expect(reading.summary).toMatch(/^30 calls/)
  })
})
