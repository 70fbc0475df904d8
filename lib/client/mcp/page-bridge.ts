import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { CallAnswer } from '@/lib/shared/mcp/call-answer'
import { linkOf } from '@/lib/shared/mcp/server-question'

/*
 * The host's half of MCP Apps (2026-01-26): JSON-RPC with the page of a tool, which runs in a sealed frame. The page is
 * foreign code, so all its messages are checked, and any action outside its frame becomes a question to the user:
 *
 *   → { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "refresh", arguments: {} } }
 *   ← { jsonrpc: "2.0", id: 1, result: { content: […] } }          once the user has pressed Run, and the server has answered
 */

/** An action that the page asks for and the user decides on. */
export type PageAction = { readonly number: number } & (
  | { readonly kind: 'call'; readonly name: string; readonly args: JsonObject }
  | { readonly kind: 'link'; readonly url: URL }
  | { readonly kind: 'message'; readonly text: string }
  /** What the page wants the model to know of its state. Each one replaces the one before. */
  | { readonly kind: 'context'; readonly text: string }
  | { readonly kind: 'file'; readonly file: PageFile }
)

/** A file that the page wants to save. */
export interface PageFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** How the chat around the page looks. */
export interface PageLook {
  readonly theme: 'light' | 'dark'
  /** CSS variables by name, which the page may use. */
  readonly variables: Readonly<Record<string, string>>
}

export type PageActionAnswer =
  | { readonly is: 'denied' }
  /** The link was opened, or the text was taken over. */
  | { readonly is: 'done' }
  | { readonly is: 'called'; readonly answer: CallAnswer }

export interface PageBridgePorts {
  /** Sends a message to the frame. */
  readonly post: (message: JsonObject) => void
  readonly locale: string
  /** As it is when the page starts. */
  readonly look: () => PageLook
  /** Whether pages of this server may ask for this tool. */
  readonly mayCall: (name: string) => boolean
  readonly onActions: (open: readonly PageAction[]) => void
  /** Its height in pixels, as the page reports it. */
  readonly onHeight: (px: number) => void
  /** It asked for the call whose result it shows, and got that result. */
  readonly onSameCall: () => void
  /** It wants to be closed. */
  readonly onClose: () => void
}

/** The call whose result the page shows. */
export interface ShownCall {
  /** The server's own name of the tool. */
  readonly name: string
  readonly args: JsonObject
  /** What the tool's schema says for arguments that a call leaves out. */
  readonly defaults: JsonObject
  /** Null: it was too large to be stored. */
  readonly result: JsonObject | null
}

const VERSIONS = ['2026-01-26', '2025-11-21']
const MAX_PAGE_ACTIONS = 3
/** The most values and characters of one message. */
const MAX_MESSAGE = 200_000
const MAX_DEPTH = 100
const MAX_TEXT_CHARS = 10_000
const MAX_HEIGHT_PX = 560

const notFound = -32_601
const invalid = -32_602
const refused = -32_000

type Id = string | number
type WithoutNumber<T> = T extends unknown ? Omit<T, 'number'> : never

/** Receives the page's messages (`hear`) and answers them. */
export function createPageBridge(call: ShownCall, ports: PageBridgePorts) {
  /** `id` null: it was answered already. */
  const open = new Map<number, { readonly action: PageAction; readonly id: Id | null }>()
  let actions = 0
  let hasBegun = false
  let gaveResult = false
  let refusesContext = false

  const whole = (args: JsonObject): JsonObject => ({ ...call.defaults, ...args })
  const isSameArgs = (given: JsonObject) => canonicalJson(whole(given)) === canonicalJson(whole(call.args))
  const say = (message: JsonObject) => ports.post({ jsonrpc: '2.0', ...message })
  const give = (id: Id, result: JsonObject) => say({ id, result })
  const fail = (id: Id, code: number, message: string) => say({ id, error: { code, message } })
  const show = () => ports.onActions([...open.values()].map(({ action }) => action))

  function addAction(id: Id, wanted: WithoutNumber<PageAction>): void {
    // Pages ask again and again, e.g. for a new measurement; one card is enough.
    const same = [...open.values()].some(({ action }) => isSame(action, wanted))
    if (same) return fail(id, refused, 'The user has not decided on the same request.')
    if (open.size >= MAX_PAGE_ACTIONS) return fail(id, refused, 'The user has not decided on earlier requests.')
    const number = (actions += 1)
    open.set(number, { id, action: { ...wanted, number } })
    show()
  }

  /** Answered at once, because it has no outcome that a page could use. */
  function keepContext(id: Id, text: string): void {
    if (refusesContext) return fail(id, refused, 'The user does not want this.')
    give(id, {})
    const before = [...open.values()].find(({ action }) => action.kind === 'context')
    if (before) open.delete(before.action.number)
    if (text === '' || (!before && open.size >= MAX_PAGE_ACTIONS)) return show()
    const number = before?.action.number ?? (actions += 1)
    open.set(number, { id: null, action: { kind: 'context', text, number } })
    show()
  }

  function begin(): void {
    if (hasBegun) return
    hasBegun = true
    say({ method: 'ui/notifications/tool-input', params: { arguments: whole(call.args) } })
    if (call.result) say({ method: 'ui/notifications/tool-result', params: call.result })
    else say({ method: 'ui/notifications/tool-cancelled', params: { reason: 'The result was too large to be kept.' } })
  }

  function askForCall(id: Id, { name, arguments: given = {} }: JsonObject): void {
    if (typeof name !== 'string' || !isJsonObject(given)) return fail(id, invalid, 'A name and arguments are needed.')
    if (!ports.mayCall(name)) return fail(id, invalid, `This page may not ask for the tool ${name.slice(0, 100)}.`)
    // Some pages call their tool once more at the start, for the result that they already get.
    if (!gaveResult && call.result && name === call.name && isSameArgs(given)) {
      gaveResult = true
      ports.onSameCall()
      return give(id, call.result)
    }
    addAction(id, { kind: 'call', name, args: given })
  }

  function request(id: Id, method: string, params: JsonObject): void {
    switch (method) {
      case 'ui/initialize': {
        const { protocolVersion } = params
        return give(id, {
          protocolVersion: VERSIONS.find((one) => one === protocolVersion) ?? VERSIONS[0] ?? '',
          hostInfo: { name: 'nod', version: '1' },
          hostCapabilities: {
            serverTools: {},
            openLinks: {},
            downloadFile: {},
            message: { text: {} },
            updateModelContext: { text: {}, structuredContent: {} },
            sandbox: { permissions: {}, csp: {} },
          },
          hostContext: {
            ...lookOf(ports.look()),
            displayMode: 'inline',
            availableDisplayModes: ['inline'],
            locale: ports.locale,
            platform: 'web',
            containerDimensions: { maxHeight: MAX_HEIGHT_PX },
          },
        })
      }
      case 'ping':
        return give(id, {})
      case 'ui/request-display-mode':
        return give(id, { mode: 'inline' })
      case 'tools/call':
        return askForCall(id, params)
      case 'ui/open-link': {
        const { url } = params
        const link = typeof url === 'string' && url.length <= MAX_TEXT_CHARS ? linkOf(url) : null
        return link ? addAction(id, { kind: 'link', url: link }) : give(id, { isError: true })
      }
      case 'ui/message': {
        const text = textOf(params['content']).slice(0, MAX_TEXT_CHARS)
        return text.trim() === '' ? give(id, { isError: true }) : addAction(id, { kind: 'message', text })
      }
      case 'ui/update-model-context': {
        const { content, structuredContent } = params
        const structured = isJsonObject(structuredContent ?? null) ? JSON.stringify(structuredContent, null, 2) : ''
        const text = [textOf(content), structured].filter((one) => one.trim() !== '').join('\n\n')
        return keepContext(id, text.slice(0, MAX_TEXT_CHARS))
      }
      case 'ui/download-file': {
        const file = fileOf(params['contents'])
        return file ? addAction(id, { kind: 'file', file }) : give(id, { isError: true })
      }
      default:
        return fail(id, notFound, 'This host does not do that.')
    }
  }

  return {
    /** The chat around the page has another look now. */
    changeLook: (look: PageLook) => {
      if (hasBegun) say({ method: 'ui/notifications/host-context-changed', params: lookOf(look) })
    },
    /** A message of the frame, of any shape. */
    hear(data: unknown): void {
      const message = readMessage(data)
      if (!message) return
      if (message === 'too-large') {
        const { id } = data as { readonly id?: unknown }
        return isId(id) ? fail(id, invalid, 'This message is too large or no JSON.') : undefined
      }
      const { id, method, params } = message
      if (id !== null) return request(id, method, params)
      if (method === 'ui/notifications/initialized') return begin()
      if (method === 'ui/notifications/request-teardown') return ports.onClose()
      const { height } = params
      if (method === 'ui/notifications/size-changed' && typeof height === 'number' && height > 0) {
        ports.onHeight(Math.min(Math.ceil(height), MAX_HEIGHT_PX))
      }
    },
    /** The outcome of a request; once. */
    answer(number: number, given: PageActionAnswer): void {
      const one = open.get(number)
      if (!one) return
      open.delete(number)
      show()
      const { id } = one
      if (id === null) return void (refusesContext = given.is === 'denied')
      if (given.is === 'called') {
        const outcome = givenFor(given.answer)
        return typeof outcome === 'string' ? fail(id, refused, outcome) : give(id, outcome)
      }
      if (given.is === 'done') return give(id, {})
      if (one.action.kind !== 'call') return give(id, { isError: true })
      give(id, { content: [{ type: 'text', text: 'The user denied this call.' }], isError: true })
    },
  }
}

/** What the page gets for its call: the result, or the message of an error. */
function givenFor(answer: CallAnswer): JsonObject | string {
  switch (answer.kind) {
    case 'answered':
      if (answer.result['resultType'] !== 'input_required') return answer.result
      return 'The server asks for input, which a page can’t give.'
    case 'refused':
    case 'open-first':
      return answer.message
    case 'lost':
    case 'timed-out':
      return 'It is not known whether this call ran.'
    case 'too-large':
      return 'The result is too large.'
    case 'stopped':
    case 'http':
    case 'not-sent':
      return 'The call did not run.'
  }
}

const lookOf = ({ theme, variables }: PageLook): JsonObject => ({ theme, styles: { variables } })

const isSame = (a: WithoutNumber<PageAction>, b: WithoutNumber<PageAction>): boolean => {
  if (a.kind === 'call' && b.kind === 'call')
    return a.name === b.name && canonicalJson(a.args) === canonicalJson(b.args)
  if (a.kind === 'link' && b.kind === 'link') return a.url.href === b.url.href
  return a.kind === 'message' && b.kind === 'message' && a.text === b.text
}

interface FrameMessage {
  /** Null: a notification. */
  readonly id: Id | null
  readonly method: string
  readonly params: JsonObject
}

const isId = (id: unknown): id is Id => (typeof id === 'string' && id.length <= 200) || Number.isFinite(id)

/** Null: a message that gets no answer. */
function readMessage(data: unknown): FrameMessage | 'too-large' | null {
  const isMessage = isPlain(data) && data['jsonrpc'] === '2.0'
  if (!isMessage || typeof data['method'] !== 'string') return null
  if (!isSmallJson(data)) return 'too-large'
  const { id = null, method, params = {} } = data
  if (typeof method !== 'string' || (id !== null && !isId(id))) return null
  return isJsonObject(params) ? { id, method, params } : null
}

const isPlain = (value: unknown): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * Whether it is JSON of a size that can be shown. A structured clone may also contain dates, buffers and cycles, and
 * the same list many times, which as JSON would have no end.
 */
function isSmallJson(whole: unknown): boolean {
  let left = MAX_MESSAGE
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: whole, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next
    left -= 1
    if (left < 0 || depth > MAX_DEPTH) return false
    if (typeof value === 'string') left -= value.length
    else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return false
    } else if (value !== null && typeof value !== 'boolean') {
      if (Array.isArray(value) ? value.length > left : !isPlain(value)) return false
      for (const [key, child] of Object.entries(value as object)) {
        left -= key.length
        open.push({ value: child, depth: depth + 1 })
      }
    }
  }
  return left >= 0
}

/** The first file with its contents. Its links are left out: only its own server may be asked, by a call. */
function fileOf(contents: JsonValue | undefined): PageFile | null {
  const blocks: readonly JsonValue[] = Array.isArray(contents) ? contents : []
  for (const block of blocks) {
    const { resource } = isJsonObject(block) ? block : {}
    if (!isJsonObject(resource ?? null)) continue
    const { uri, text, blob } = resource as JsonObject
    const bytes =
      typeof text === 'string' ? new TextEncoder().encode(text) : typeof blob === 'string' ? bytesOfBase64(blob) : null
    if (!bytes) continue
    return { name: typeof uri === 'string' ? uri.replace(/[?#].*$/s, '').slice(-300) : '', bytes }
  }
  return null
}

function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
  } catch {
    return null
  }
}

function textOf(content: JsonValue | undefined): string {
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [content ?? null]
  return blocks
    .flatMap((block) => (isJsonObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n\n')
}
