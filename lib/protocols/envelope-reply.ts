import { entryNamed, type JsonNode, type ObjectNode } from './json-repair/node'
import { readJson } from './json-repair/read-json'
import { envelopePromptParts, formatEnvelopeReply } from './json-action'
import { strategies } from './registry'
import { type CallSegment, type ParsedReply, type RepairCode, type Segment, tiled } from './types/segment'
import * as Char from './text/source'
import { Source } from './text/source'
import type { PreviewSegment, ReplyScanner, StrategyId, ToolContextDef, ToolSpec } from './types/tool-context-def'
import { CALL, TEXT } from './json-action/read'

const SPACE = /\s/
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

interface Item {
  readonly start: number
  end: number
  action: string | null
  name: string | null
  /** The text of this segment so far. */
  said: string
}

/**
 * Reads a streamed reply of one JSON value, each character once: its text so far, and the call that is being written.
 * It gives up if the reply is not a list of actions; then the reply is read like any other.
 */
export class EnvelopeView {
  private readonly items: Item[] = []
  private pos = 0
  private depth = 0
  /** Depth of an action's members: 1 for a single action, 2 in a list. */
  private level = 0
  private lost = false
  private inString = false
  /** The characters of an escape that is incomplete. */
  private escape = ''
  private string = ''
  private key: string | null = null

  /** What may be shown after this piece; null if it is not such a reply. */
  take(piece: string): readonly PreviewSegment[] | null {
    for (const char of piece.split('')) {
      if (this.lost) return null
      if (this.inString) this.inText(char)
      else this.structure(char)
      this.pos++
      const last = this.items.at(-1)
      if (last) last.end = this.pos
    }
    return this.lost ? null : this.shown()
  }

  private shown(): readonly PreviewSegment[] {
    return this.items.flatMap(({ start, end, action, name, said }): PreviewSegment[] => {
      if (action === TEXT) return said === '' ? [] : [{ kind: 'text', start, end, said }]
      return action === CALL ? [{ kind: 'writing', start, end, name }] : []
    })
  }

  private structure(char: string): void {
    if (SPACE.test(char) || char === ',' || char === ':') return
    if (char === '"') {
      this.inString = true
      this.string = ''
      return
    }
    if (char === '{' || char === '[') this.open(char)
    else if (char === '}' || char === ']') this.depth--
    else if (this.level === 0) this.lost = true
    if (this.depth === this.level) this.key = null
  }

  private open(char: string): void {
    if (this.level === 0) this.level = char === '{' ? 1 : 2
    this.depth++
    if (char !== '{' || this.depth !== this.level) return
    this.items.push({
      start: this.items.length === 0 ? 0 : this.pos,
      end: this.pos,
      action: null,
      name: null,
      said: '',
    })
    this.key = null
  }

  private inText(char: string): void {
    if (this.escape !== '') {
      this.escape += char
      const whole = this.escape.charAt(1) === 'u' ? this.escape.length === 6 : true
      if (whole) {
        this.add(unescaped(this.escape))
        this.escape = ''
      }
    } else if (char === '\\') this.escape = char
    else if (char === '"') this.endText()
    else this.add(char)
  }

  private add(text: string): void {
    const last = this.items.at(-1)
    if (this.isMember('text') && last?.action === TEXT) last.said += text
    else if (this.string.length < 200) this.string += text
  }

  private endText(): void {
    this.inString = false
    if (this.depth !== this.level) return
    const last = this.items.at(-1)
    if (this.key === null) {
      this.key = this.string
      // The action comes first; an object that does not begin with it is not of this form.
      if (last?.action === null && this.key !== 'action') this.lost = true
      return
    }
    if (last && this.key === 'action') {
      last.action = this.string
      if (this.string !== TEXT && this.string !== CALL) this.lost = true
    }
    if (last && this.key === 'name') last.name = this.string
    this.key = null
  }

  private isMember(key: string): boolean {
    return this.depth === this.level && this.key === key
  }
}

function unescaped(escape: string): string {
  const sign = escape.charAt(1)
  if (sign !== 'u') return ESCAPES[sign] ?? sign
  const code = Number.parseInt(escape.slice(2), 16)
  return Number.isNaN(code) ? escape : String.fromCharCode(code)
}

/*
 * {"action":"text","text":"Let me look."}
 * [{"action":"text","text":"Let me look."},{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}]
 *
 * A reply constrained by JSON_Action's schema: one JSON value and nothing else, so that a model that may write nothing
 * else can still answer with text. Anything that is not such a value is read like any other reply of JSON_Action.
 */
/** The strategy of such replies: no other strategy can express a whole reply in JSON. */
export const envelopeStrategy: StrategyId = 'JSON_Action'

/** Reads a reply that was constrained by JSON_Action's schema. */
export function readEnvelopeReply(text: string, tools: readonly ToolSpec[]): ParsedReply {
  const items = itemsOf(text)
  if (items === null) return readPlainly(text, tools)
  const segments = withUniqueIds(
    items.flatMap((item, i): readonly Segment[] => {
      const start = i === 0 ? 0 : item.start
      const end = items[i + 1]?.start ?? text.length
      // The reply was cut off before the object's action was known.
      if (actionOf(item) === '') return [{ kind: 'text', start, end, said: '' }]
      if (actionOf(item) === TEXT)
        return [{ kind: 'text', start, end, said: item.closed ? saidBy(item) : textSoFar(text) }]
      return stretched(readPlainly(text.slice(item.start, item.end), tools).segments, item.start, start, end)
    }),
  )
  const all = tiled(segments, text.length)
  return { type: typeOf(all), segments: all }
}

/** Reads such a reply while it streams: its text is shown as it arrives. */
export const createEnvelopeScanner = (tools: readonly ToolSpec[]): ReplyScanner => new WholeScanner(tools)

class WholeScanner implements ReplyScanner {
  private readonly tools: readonly ToolSpec[]
  private readonly view = new EnvelopeView()
  private plain: ReplyScanner | null = null
  private readonly pieces: string[] = []
  private looked = 0

  constructor(tools: readonly ToolSpec[]) {
    this.tools = tools
  }

  push(chunk: string): void {
    this.pieces.push(chunk)
  }

  preview(): readonly PreviewSegment[] {
    const fresh = this.pieces.slice(this.looked).join('')
    this.looked = this.pieces.length
    if (this.plain === null) {
      const shown = this.view.take(fresh)
      if (shown !== null) return shown
      this.plain = action.createScanner(this.tools)
      this.plain.push(this.pieces.join(''))
    } else this.plain.push(fresh)
    return this.plain.preview()
  }

  end(): ParsedReply {
    return readEnvelopeReply(this.pieces.join(''), this.tools)
  }
}

const action = defOf()

function defOf(): ToolContextDef {
  const def = strategies.find(({ id }) => id === envelopeStrategy)
  if (!def) throw new Error(`${envelopeStrategy} is not registered`)
  return def
}

/** The definition that the context builder takes: prompt, reader and writers. */
export const envelopeReplies: ToolContextDef = {
  ...action,
  promptParts: envelopePromptParts,
  createScanner: createEnvelopeScanner,
  formatCalls: formatEnvelopeReply,
  formatReply: formatEnvelopeReply,
}

function readPlainly(text: string, tools: readonly ToolSpec[]): ParsedReply {
  const scanner = action.createScanner(tools)
  scanner.push(text)
  return scanner.end()
}

/** The objects of the reply in order; the last one may be cut off. Null if the reply is not such JSON. */
function itemsOf(text: string): readonly ObjectNode[] | null {
  const source = new Source(text, true)
  const first = source.at(source.skipSpace(0))
  if (first !== Char.OPEN_BRACE && first !== Char.OPEN_BRACKET) return null
  const { node, failure, end } = readJson(source, source.skipSpace(0), { guess: false })
  if (failure ? failure.reason !== 'truncated' : source.skipSpace(end) < text.length) return null
  const items: readonly JsonNode[] = node?.kind === 'array' ? node.items : node ? [node] : []
  const objects = items.filter((item) => item.kind === 'object')
  const known =
    objects.length === items.length &&
    objects.every((item) => [TEXT, CALL].includes(actionOf(item)) || mayBecome(item, text))
  return known && objects.length > 0 ? objects : null
}

const BEGINNINGS = [TEXT, CALL].map((kind) => `{"action":"${kind}"`)

/** Whether an object at the end of the reply was cut off while its action was being written. */
const mayBecome = ({ start, closed }: ObjectNode, text: string): boolean =>
  !closed && BEGINNINGS.some((beginning) => beginning.startsWith(text.slice(start).replaceAll(/\s/g, '')))

function actionOf(item: ObjectNode): string {
  const found = entryNamed(item, ['action'])?.node
  return found?.kind === 'string' && found.closed ? found.value : ''
}

function saidBy(item: ObjectNode): string {
  const found = entryNamed(item, ['text'])?.node
  return found?.kind === 'string' ? found.value : ''
}

/** Text that was cut off still counts as text. */
function textSoFar(text: string): string {
  const last = new EnvelopeView().take(text)?.at(-1)
  return last?.kind === 'text' ? (last.said ?? '') : ''
}

/** Maps the segments of a part to offsets in the reply. Under a schema, no fence can be missing. */
function stretched(segments: readonly Segment[], offset: number, start: number, end: number): readonly Segment[] {
  return segments.map((segment, i) => {
    const from = i === 0 ? start : segment.start + offset
    const to = i === segments.length - 1 ? end : segment.end + offset
    if (segment.kind !== 'call') return { ...segment, start: from, end: to }
    const repairs: readonly RepairCode[] = segment.repairs.filter((code) => code !== 'missing-fence')
    return { ...segment, start: from, end: to, repairs, verdict: repairs.length > 0 ? 'repaired' : 'ok' }
  })
}

/** Renumbers the calls over the whole reply, because parts were read one by one. */
function withUniqueIds(segments: readonly Segment[]): readonly Segment[] {
  const calls = segments.filter((segment): segment is CallSegment => segment.kind === 'call')
  const isOwn = ({ id }: CallSegment) => id !== 'call_1' && calls.filter((one) => one.id === id).length === 1
  const taken = new Set(calls.filter(isOwn).map(({ id }) => id))
  let slot = 0
  return segments.map((segment) => {
    if (segment.kind !== 'call') return segment
    slot++
    if (isOwn(segment)) return segment
    let id = `call_${slot}`
    while (taken.has(id)) id += '_'
    taken.add(id)
    return { ...segment, id }
  })
}

function typeOf(segments: readonly Segment[]): ParsedReply['type'] {
  const live = segments.some((segment) => segment.kind === 'call' && segment.standing === 'live')
  const other = segments.some((segment) =>
    segment.kind === 'text' ? segment.said?.trim() !== '' : segment.kind === 'broken',
  )
  return !live ? 'text' : other ? 'mixed' : 'tool_call'
}
