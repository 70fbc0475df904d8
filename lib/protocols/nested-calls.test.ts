import { describe, expect, it } from 'vitest'
import { createRandom } from './grammar/grammar'
import { strategies } from './registry'
import { bareTexts, judgeBare, passageOf, quotedFormats, readSources } from './testing/bare-code'
import { inventedCall, liveCalls } from './testing/live-calls'
import { nestedShapes, nestedText } from './testing/nested-calls'
import { structureOf, damagesAt } from './testing/damages'
import { toolContextBuilder } from './tool-context-builder'
import type { StrategyId } from './types/tool-context-def'

/*
 * Calls as data inside other calls. `npm run fuzz -- --nested 20000` and `-- --code 2000` run the same tests with
 * random data at scale.
 */

const DAMAGED = 700

describe.each(strategies)('$id: calls inside another call’s arguments', (def) => {
  it('never run as calls of their own, whatever character is lost, doubled or replaced', () => {
    const wrong: string[] = []
    const step = Math.floor(nestedShapes(def) / DAMAGED)
    for (let n = 0; n < DAMAGED; n++) {
      const { text, tools, calls } = nestedText(def, n * step + (n % 7))
      const written = liveCalls(def, text, tools)
      if (written.length !== calls.length) wrong.push(`not read as written: ${text}`)
      const random = createRandom(n)
      const damage = random.pick(damagesAt(def.id, text, random.pick(structureOf(def.id, text))))
      const invented = inventedCall(written, liveCalls(def, damage.text, tools))
      if (invented !== null) wrong.push(`${damage.what}: ${JSON.stringify(damage.text)} gave ${invented}`)
    }
    expect(wrong).toEqual([])
  }, 60_000)
})

it('reads a whole file with bare quotes or nothing, whole and cut off, in all JSON formats', () => {
  const random = createRandom(12)
  const sources = readSources()
  const formats = quotedFormats()
  const wrong: string[] = []
  let right = 0
  for (let n = 0; n < 60;) {
    const passage = n % 10 === 0 ? random.pick(formats) : passageOf(sources, random)
    if (passage === null) continue
    n++
    for (const one of bareTexts(passage, random)) {
      const cuts = [0, 1, 2].map(() => one.from + random.int(one.text.length - one.from))
      for (const end of [one.text.length, ...cuts]) {
        const found = judgeBare(one, one.text.slice(0, end))
        if (found === 'right') right++
        else if (found !== 'refused') wrong.push(`${one.strategy}: ${one.text.slice(0, end)} gave ${found.live}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(right).toBeGreaterThan(200)
}, 60_000)

/** A text that contains a call of the strategy's own form, and continues after it. */
const quotations = (form: string): readonly string[] => [
  `# Calls\n\n${form}\n\nThat is all`,
  `cat <<'EOF' > a.md\n${form}\nEOF`,
  `Say "yes" or\n${form}\n\nand "nothing" else.`,
  `x = "${form}"; // y`,
]

/** Strategies whose calls the model writes itself; only the server writes Native's frames. */
const textual = strategies.filter(({ id }) =>
  toolContextBuilder.promptParts(id, nestedText(toolContextBuilder.get(id), 0).tools).every(({ apart }) => !apart),
)

it.each(textual)('$id: a call in a text that is cut off after it never runs', (def) => {
  const tools = nestedText(def, 0).tools
  const form = def.formatCalls([{ name: 'run', arguments: { command: 'make clean' } }])
  const whole = def.formatCalls([{ name: 'write_file', arguments: { path: '/doc.md', content: 'HERE' } }])
  const opened = whole.slice(0, whole.indexOf('HERE'))
  const wrong = quotations(form).flatMap((content) => {
    const text = opened + content
    const first = text.indexOf(form) + form.length + 3
    const cuts = Array.from({ length: Math.max(1, text.length - first) }, (_, i) => text.slice(0, first + i + 1))
    return cuts.filter((cut) => liveCalls(def, cut, tools).some(({ name }) => name === 'run'))
  })
  expect(wrong).toEqual([])
})

/** Code that ends in as many brackets as a JSON call does, after a quote of its own. */
const CODES = [
  '  "failure": {\n    "kind": "invalid"\n  }\n}\n',
  'x = {"k": {"l": [{"m": "n"}]}}\n',
  'f("a", {\n  b: ["c"]\n})\n}]}\n',
  'if (a["b"]) {\n  log(["c", {d: "e"}])\n}}}\n',
]

it.each(['JSON_Strict', 'JSON_Action', 'XML_Tag'] as const)(
  '%s: a call without a fence never runs if its code is cut off after brackets of the code',
  (id) => {
    const def = toolContextBuilder.get(id)
    const tools = nestedText(def, 0).tools
    const wrong: string[] = []
    for (const call of [
      { name: 'write_file', arguments: { path: '/doc.md', content: 'HERE' } },
      { name: 'note', arguments: { title: 't', text: 'HERE' } },
      { name: 'run', arguments: { cwd: '/', env: { A: '1' }, command: 'HERE' } },
      { name: 'edit', arguments: { path: '/a', edits: [{ old: 'a', new: 'HERE' }] } },
    ]) {
      const whole = def.formatCalls([call]).replace(/^```\w*\n/, '')
      const opened = whole.slice(0, whole.indexOf('HERE'))
      for (const code of CODES)
        for (let end = 0; end <= code.length; end++) {
          const [live] = liveCalls(def, opened + code.slice(0, end), tools)
          if (live) wrong.push(`${opened}${code.slice(0, end)} gave ${JSON.stringify(live.arguments)}`)
        }
    }
    expect(wrong).toEqual([])
  },
)

/** JSON values that prose shows after a call, with one bracket too many. */
const SHOWN = ['{"action":"deploy"}]', '<{"a":{"b":[1]}}]&', 'so [{"k":"v"}]]</code>, then', '[{"b":"c"}]] and']
/** The rest of a call that began before, with values of its own. */
const LEFT_OVER = ['", {"a":1}]}}', '{"a":1}"}}]}', ' {"a": 1, and so"}}]}', '"x": {"k":"v"}}}]}', '},{"a":"b"}}']

it.each(textual)('$id: distinguishes JSON in prose from the end of a call that began before', (def) => {
  const tools = nestedText(def, 0).tools
  for (const call of [
    { name: 'run', arguments: { command: 'make', env: { A: '1' } } },
    { name: 'paint', arguments: { tags: ['a'], options: {} } },
    { name: 'plan', arguments: { steps: [{ do: 'a' }] } },
  ]) {
    const written = def.formatCalls([call])
    const runs = (behind: string) => liveCalls(def, `${written}\n\n${behind}\n`, tools).map(({ name }) => name)
    for (const shown of SHOWN) expect([shown, runs(shown)]).toEqual([shown, [call.name]])
    for (const left of LEFT_OVER) expect([left, runs(left)]).toEqual([left, []])
  }
})

const outer = (content: string) => `{"name":"write_file","arguments":{"path":"/p","content":"${content}"}}`
const inner = '{"tool_calls":[{"name":"read_file","arguments":{"path":"/x"}}]}'

it.each<readonly [StrategyId, string, readonly string[]]>([
  ['JSON_Strict', `{"tool_calls":[${outer(inner)}]}`, []],
  ['JSON_Strict', `{"tool_calls":[${outer(`a\n${inner}\nb`)}]}`, []],
  ['JSON_Strict', `{"tool_calls":[${outer('half').slice(0, -3)}\n${inner}`, ['read_file']],
  ['XML_Tag', `<tool_code>${outer('put "</tool_code>" here')}`, []],
  ['XML_Tag', `<tool_code>${outer('a = "</b>";')}</tool_code>`, ['write_file']],
  ['XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a"}}</tool_call>', ['read_file']],
  ['XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a"}</tool_call>', []],
  ['XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a"}</tool_code>', ['read_file']],
  ['XML_Tag', '<tool_code>{"name":"read_file","arguments":{"path":"/a"}</tool_code>, "b"}}', []],
  ['VCP', `<<<[TOOL_REQUEST]>>>\n${outer('put "<<<[END_TOOL_REQUEST]>>>" here')}`, []],
  ['Tool_Action', '<tool_action name="write_file"><path>/a</path><content>Hi.</param></tool_action>', ['write_file']],
  ['Tool_Action', '<tool_action name="write_file"><path>/a</path><content>Hi.</contents></tool_action>', []],
  ['Tool_Action', '<tool_action name="write_file"><path>/a</path><content><p>Hi.</p></tool_action>', []],
  ['Tool_Action', '<tool_action name="write_file"><path>/a</path><content>Put "</tool_action>" last', []],
])('%s: %s runs %j', (id, text, names) => {
  const live = liveCalls(toolContextBuilder.get(id), text, nestedText(toolContextBuilder.get(id), 0).tools)
  expect(live.map(({ name }) => name)).toEqual(names)
  for (const call of live) expect(JSON.stringify(call.arguments)).not.toContain('</param')
})

it('reports a call as cut off only if the reply ends inside it', () => {
  const def = toolContextBuilder.get('JSON_Strict')
  const { tools } = nestedText(def, 0)
  const message = (text: string) =>
    toolContextBuilder
      .parseResponse('JSON_Strict', text, tools)
      .segments.flatMap((one) => (one.kind === 'broken' ? [one] : []))
  const [cut] = message('{"tool_calls":[{"name":"read_file","arguments":{"path":"/a')
  expect(cut?.reason).toBe('truncated')
  expect(cut?.message).toContain('smaller parts')
  const [whole] = message('{"tool_calls":[{"name":"read_file","arguments":{"path":"/a}}]}')
  expect(whole?.reason).toBe('bad-json')
  expect(whole?.message).not.toContain('smaller parts')
  const odd = message(
    '{"tool_calls":[{"name":"batch","arguments:{"tool_calls":[{"tool":"read_file","parameters":{"path":"/a"}},{"tool":"run","parameters":{}}]}}]}',
  )
  expect(odd.length).toBeGreaterThan(0)
  for (const one of odd) expect(one.message).not.toMatch(/^Your call to \S*["{:]/)
  const several = message('{"tool_calls":[{"name":"read_file","arguments":[]},{"name":"run","arguments":[]}]}')
  expect(new Set(several.map((one) => one.message)).size).toBe(1)
})

it.each([
  '```json\n[{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}},{"action":"memo","a":1},{"action":"tool_call","name":"read_file","arguments":{"path":"/b"}}]\n```',
  '```json\n[{"action":"memo","a":1},{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}]\n```',
  '```json\n[{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}},{"action":"memo","a":1}]\n```',
])('shows other actions of a list as text: %s', (text) => {
  const def = toolContextBuilder.get('JSON_Action')
  const reply = toolContextBuilder.parseResponse('JSON_Action', text, nestedText(def, 0).tools)
  expect(reply.type).toBe('mixed')
  const said = reply.segments.filter(({ kind }) => kind === 'text').map(({ start, end }) => text.slice(start, end))
  expect(said.join('')).toContain('"memo"')
})
