import { describe, expect, it } from 'vitest'
import { grammarOf } from './grammar-of'
import { createRandom } from './grammar/grammar'
import { walk } from './testing/walk-grammar'
import { strategies } from './registry'
import { readsAs } from './testing/grammar-samples'
import { liveCalls } from './testing/live-calls'
import { randomTools } from './testing/random-tools'
import { testTools } from './testing/tools'

/** Openers, and closers with or without an opener: reasoning, HTML, code, quotations, objects and lists in prose. */
const PIECES = [
  'a',
  ' ',
  '\n',
  '\n\n',
  '\n \n',
  '<!--',
  ' -->',
  '<think>',
  '\n<think>\n',
  '<thinking>',
  '\n<think a="b">\n',
  '<pre>\n',
  '<pre>',
  '\n<pre class="x">',
  '</pre>',
  '<code>',
  '<code lang=js>',
  '</code>',
  '`',
  '``',
  '```',
  '\n```\n',
  '\n> ',
  '\n> ```json\n',
  '{',
  '{a:',
  '{"a": ',
  '"',
  '[',
  '[{"action":"deploy"}',
  '}',
  ']',
  ':',
  '\nAction: ',
  '\n> ":',
  "\nit's': 5",
  '\ninput: {',
  '\nfoo bar": ',
  '\nAction:\n```json\n',
  '{`a`:',
  '`b`: ',
  "'",
  '“',
  '”',
  ',',
  '1',
  ' // x\n',
  '# ',
  '/* ',
  ' */',
  '\n"c": "d",\n',
]

const bound = strategies.filter((def) => grammarOf(def.id, testTools) !== null)

describe.each(bound)('$id', (def) => {
  it('reads every call that its grammar writes after openers in prose, closed or not', () => {
    let calls = 0
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed)
      const tools = seed % 2 === 0 ? testTools : randomTools(random)
      const grammar = grammarOf(def.id, tools)
      if (!grammar) continue
      for (let i = 0; i < 150; i++) {
        const sample = walk(grammar.reply, random, { words: PIECES })
        calls += sample.calls.length
        const way = { part: 'reply', hostile: false, piece: i % 5 === 0 ? 1 + random.int(4) : null } as const
        expect([sample.text, readsAs(def, sample, tools, grammar, way)]).toEqual([sample.text, null])
      }
    }
    expect(calls).toBeGreaterThan(60)
  })

  const call = def.formatCalls([{ name: 'read_file', arguments: { path: '/a' } }])

  it.each(['TOOL_REQUEST_ESCAPE', 'TOOL_REQUEST_EXP'])(
    'reads the content of a literal block of another form: %s',
    (block) => {
      if (def.id === 'VCP') return
      const [opener, closer] = [`<<<[${block}]>>>`, `<<<[END_${block}]>>>`]
      const texts: readonly (readonly [string, number])[] = [
        [`${opener}\n\`\`\`\`md\n${closer}\n${call}\n`, 0],
        [`${opener} <!-- ${closer} ${call}\n-->`, 0],
        [`${opener}\n\`\`\`\`md\n\`\`\`\`\n${closer}\n${call}\n`, 1],
        [`${opener}\n${call}\n${closer}\n`, 1],
      ]
      for (const [text, live] of texts) expect([text, liveCalls(def, text, testTools).length]).toEqual([text, live])
    },
  )

  it.each([
    '{"action":"tool_call",\n',
    '[{"action":"tool_call",\n',
    '{"action":"deploy",\n\n',
    '{"name":"read_file", "\n',
  ])('reads a call after an incomplete object of another form: %j', (before) => {
    if (def.id === 'JSON_Action' && before.includes('tool_call')) return
    expect(liveCalls(def, `${before}${call}\n`, testTools).map(({ name }) => name)).toEqual(['read_file'])
  })

  /** Objects in prose that break off before a code span, or right in a result. */
  const BEFORE = ['{"action":"tool_result"', '{"tool_call_result":', '{"a":1 ', '{"a":', '{a: ', '[{"a":', '{"a":"b",']
  const BROKEN = ['[{"action":"tool_call",', '{"action":"tool_call",', '[{"action":"tool_call"']

  it.each(BEFORE)('reads no call in a code span after %s', (before) => {
    const line = call.replaceAll('\n', ' ')
    for (const ticks of ['`', '``', '```']) {
      const text = `So ${before}${ticks} ${line} ${ticks} and so on`
      expect([text, line.includes(ticks) ? [] : liveCalls(def, text, testTools)]).toEqual([text, []])
    }
  })

  it.each(BROKEN)('reads no bare call in a code span after %s', (before) => {
    const bare = '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'
    for (const ticks of ['`', '``', '```']) {
      for (const gap of ['', ' ', '  ']) {
        const text = `${before}${ticks}${gap}${bare}${gap}${ticks} and so on`
        expect([text, liveCalls(def, text, testTools)]).toEqual([text, []])
      }
    }
  })

  it.each([
    '{"tool_call_result":{"result":"x',
    '{"action":"tool_result","result":"a "b" c',
    '{"action":"tool_result" ~',
  ])('reads no call in a result that breaks off: %s', (before) => {
    const text = `${before}\n${call}\n`
    expect(liveCalls(def, text, testTools)).toEqual([])
  })

  it.each([
    '{"action":"tool_result"// y',
    '{"action":"tool_result" # ',
    '{"action":"tool_result", /* ',
    '{"tool_call_result":{"a": 1, // ',
    '{"tool_call_result": "x ',
    '{"tool_call_result": \'x ',
  ])('shows a call that a result of another form began to include: %s', (before) => {
    if (!call.startsWith('<')) return
    for (const behind of ['\n', ' */\n', '"\n', "'\n"]) {
      const text = `${before}${call}${behind}`
      const scanner = def.createScanner(testTools)
      scanner.push(text)
      const read = scanner.end().segments.flatMap((one) => (one.kind === 'call' ? [one.standing] : []))
      expect([text, read]).toEqual([text, ['quoted']])
    }
  })

  it('shows text after a result that breaks off in a fence up to its end, and reads calls after it', () => {
    if (def.id !== 'JSON_Strict' && def.id !== 'JSON_Action') return
    const bare = call.replaceAll(/^```\w*\n|\n```$/g, '')
    const own = def.id === 'JSON_Strict' ? '{"tool_call_result":' : '{"action":"tool_result","result":'
    for (const mark of ['```', '````', '~~~'])
      for (const gap of ['', ' ', '\n', '\r\n', '\n\n'])
        for (const quote of ['`', '"x `', "'", '~ ', 'x ', '"x "']) {
          const text = `${mark}json\n${own}${gap}${quote}${bare}\n${mark}\nNow:\n\n${call}\n`
          const scanner = def.createScanner(testTools)
          scanner.push(text)
          const read = scanner.end().segments.flatMap((one) => (one.kind === 'call' ? [one.standing] : []))
          expect([text, read]).toEqual([text, ['quoted', 'live']])
        }
  })

  it('allows no text in backticks to end in those that close its fence', () => {
    if (def.id !== 'JSON_Strict' && def.id !== 'JSON_Action') return
    const bare = call.replaceAll(/^```\w*\n|\n```$/g, '')
    for (const mark of ['```', '`````'])
      for (const before of ['{a: `', '{"a":\n`', '{"a": [`', '{"a": 1, "b": `']) {
        const text = `${mark}json\n${before}${bare}\n${mark}\n`
        expect([text, liveCalls(def, text, testTools).length]).toEqual([text, 1])
      }
  })

  it('reads a call after a quotation that ends in an empty line, with blanks or without', () => {
    for (const gap of ['', ' ', '\t ', '  ']) {
      const text = `> \`\`\`json\n${gap}\n${call}\n`
      expect([text, liveCalls(def, text, testTools).length]).toEqual([text, 1])
    }
  })
})

describe.each(strategies.filter(({ id }) => ['XML_Tag', 'VCP', 'Tool_Action'].includes(id)))(
  'a fence that opens in the body of a quoted call, under $id',
  (def) => {
    const [head = '', ...body] = def.formatCalls([{ name: 'read_file', arguments: { path: '/in' } }]).split('\n')
    const out = def.formatCalls([{ name: 'read_file', arguments: { path: '/out' } }])

    it.each(['````\n', '\n````\n', '~~~ text\n'])('stays open after it: %j', (fence) => {
      for (const cut of [0, 1]) {
        const text = `> ${head}\n${fence}${body.slice(0, body.length - cut).join('\n')}\n<code>${out}\`\`\n`
        expect([text, liveCalls(def, text, testTools)]).toEqual([text, []])
      }
    })

    it('ends where it is closed', () => {
      const text = `> ${head}\n\`\`\`\`\n${body.join('\n')}\n\`\`\`\`\n${out}\n`
      expect(liveCalls(def, text, testTools).map((call) => call.arguments['path'])).toEqual(['/out'])
    })
  },
)

describe.each(strategies.filter(({ id }) => ['XML_Tag', 'VCP', 'Tool_Action'].includes(id)))(
  'an object in prose with a call of $id in it',
  (def) => {
    const call = def.formatCalls([{ name: 'read_file', arguments: { path: '/a' } }])

    it.each([
      ['{"a": # ', '\n'],
      ["{a: '\n", "\n'}"],
      ['{"a": "\n', '\n"\n'],
      ['{"a":“', '”}'],
      ['{`a`: null, b: # ', ''],
      ['{"a": /* ', ' */ 1}'],
      ['[{"a": // ', '\n'],
    ])('does not include the call if it is not a clean value: %j', (before, behind) => {
      const live = liveCalls(def, `So ${before}${call}${behind}`, testTools)
      expect(live.map(({ name }) => name)).toEqual(['read_file'])
    })

    it('is data if it is valid JSON', () => {
      for (const text of [JSON.stringify({ a: call }), JSON.stringify({ a: [1, call] }, null, 2)])
        expect([text, liveCalls(def, text, testTools)]).toEqual([text, []])
    })

    it('still shows a code span in it', () => {
      const line = call.replaceAll('\n', ' ')
      for (const text of [`{a: \`${line}\`, b: 1}`, `{"a": # \`${line}\`\n}`])
        expect([text, liveCalls(def, text, testTools)]).toEqual([text, []])
    })
  },
)

describe.each(bound)('a fence that opens in a quotation, under $id', (def) => {
  const callIn = def.formatCalls([{ name: 'read_file', arguments: { path: '/in' } }])
  const out = def.formatCalls([{ name: 'read_file', arguments: { path: '/out' } }])
  const quoted = (text: string) => text.replaceAll(/^/gm, '> ')
  const bare = callIn.replaceAll(/^```\w*\n|\n```$/g, '').split('\n')
  const [head = '', ...body] = bare.length > 1 ? bare : ['{', ...bare.map((line) => line.slice(1))]
  const rest = body.join('\n')
  const live = (text: string) => liveCalls(def, text, testTools).map((call) => call.arguments['path'])
  const FENCES = [
    ['```', '```'],
    ['````json', '````'],
    ['~~~', '~~~'],
    ['> ```', '> ```'],
  ] as const

  it.each(FENCES)('ends where it is closed, with marks or without: %s', (opener, closer) => {
    const texts = ['words', 'list [a] of <b> {c}', `${head}\n${rest}`].flatMap((inside) => [
      `${quoted(`${opener}\n${inside}\n${closer}`)}\nNow:\n\n${out}\n`,
      `${quoted(`${opener}\n${inside}\n${closer}\nmore of it`)}\nNow:\n\n${out}\n`,
    ])
    if (!opener.startsWith('>'))
      texts.push(
        `${quoted(opener)}\n${head}\n${rest}\n${closer}\nNow:\n\n${out}\n`,
        `${quoted(`${opener}\nwords`)}\nwithout marks\n${closer}\nNow:\n\n${out}\n`,
        `${quoted(`${opener}\n${head}`)}\n${rest}\n${closer}\nNow:\n\n${out}\n`,
        `${quoted(`${opener}\n${head}\n${rest}`)}\n${closer}\nNow:\n\n${out}\n`,
        `${quoted(`${opener}\nwords\n${closer}\n${opener}\n${head}`)}\n${rest}\n${closer}\nNow:\n\n${out}\n`,
      )
    for (const text of texts) expect([text, live(text)]).toEqual([text, ['/out']])
  })

  it.each(FENCES)('ends with the quotation before an empty line: %s', (opener) => {
    for (const inside of ['words', `${head}\n${rest}`]) {
      const text = `${quoted(`${opener}\n${inside}`)}\n\nNow:\n\n${out}\n`
      expect([text, live(text)]).toEqual([text, ['/out']])
    }
  })

  it.each(['````', '~~~'])('shows the content of its lines without marks: %s', (opener) => {
    for (const inside of ['', 'words\n', `${head}\n${rest}\n`]) {
      const text = `${quoted(`${opener}\n${inside}`.trimEnd())}\n${out}\n${opener}\n`
      expect([text, live(text)]).toEqual([text, []])
    }
  })

  it('is read the same way in pieces', () => {
    const text = `${quoted(`~~~\n${head}`)}\n${rest}\n~~~\nNow:\n\n${out}\n`
    for (const piece of [1, 2, 7]) {
      const scanner = def.createScanner(testTools)
      for (let i = 0; i < text.length; i += piece) {
        scanner.push(text.slice(i, i + piece))
        scanner.preview()
      }
      const read = scanner.end().segments.filter((one) => one.kind === 'call' && one.standing === 'live')
      expect(read.length).toBe(1)
    }
  })
})

describe('JSON_Action', () => {
  const def = strategies.find(({ id }) => id === 'JSON_Action')
  const call = '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'

  it.each([
    `[{"action":"deploy"},${call}]`,
    `[{"action":"deploy"}${call}]`,
    `[${call},{"action":"deploy","to":"prod"}]`,
    `[{"action":"deploy"}\n${call}`,
  ])('reads another action beside a call as data: %s', (text) => {
    const scanner = def?.createScanner(testTools)
    scanner?.push(text)
    const segments = scanner?.end().segments ?? []
    expect(segments.filter(({ kind }) => kind !== 'text').map(({ kind }) => kind)).toEqual(['call'])
    expect(segments.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
  })

  it.each(['{"action":"read_file"}', '{"action":"tool_result","name":"read_file"}', '{"name":"read_file"}'])(
    'reports an element as broken if it could be meant as an action: %s',
    (item) => {
      const scanner = def?.createScanner(testTools)
      scanner?.push(`[${item},${call}]`)
      expect(scanner?.end().segments.map(({ kind }) => kind)).toEqual(['broken', 'call'])
    },
  )
})
