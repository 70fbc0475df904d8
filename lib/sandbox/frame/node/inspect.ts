/*
 * The part of `util.inspect` that programs print with: the same breaks, quotes and depth as Node's, without colours,
 * getters' values and proxies. The rules (entries on one line while they have at most 72 characters and at most three
 * levels; numbers in columns) are those of Node's lib/internal/util/inspect.js.
 */

export interface InspectOptions {
  readonly depth?: number | null
  readonly compact?: number | boolean
  readonly breakLength?: number
  readonly sorted?: boolean
  readonly maxArrayLength?: number | null
  readonly maxStringLength?: number | null
}

export const customInspect: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never

const defaults = { depth: 2, compact: 3, breakLength: 80, maxArrayLength: 100, maxStringLength: 10_000 }
const isKey = /^[A-Za-z_]\w*$/

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\\': '\\\\',
}

/** In single quotes, unless it contains single and no double ones. */
function quoted(text: string): string {
  const quote = !text.includes("'")
    ? "'"
    : !text.includes('"')
      ? '"'
      : !text.includes('`') && !text.includes('${')
        ? '`'
        : "'"
  const inner = text.replace(
    /[\p{Cc}\\]/gu,
    (one) => escapes[one] ?? `\\x${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
  return `${quote}${quote === "'" ? inner.replaceAll("'", "\\'") : inner}${quote}`
}

const classNameOf = (value: object): string | null => {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const own = Object.getOwnPropertyDescriptor(at, 'constructor')?.value as unknown
    if (typeof own === 'function' && own.name !== '' && value instanceof own) return own.name
  }
  return null
}

/** `new Number(1)` and the like. */
const isBoxed = (value: object): boolean =>
  ['Number', 'String', 'Boolean'].includes(classNameOf(value) ?? '') && typeof value.valueOf() !== 'object'

interface State {
  readonly depth: number
  readonly compact: number | boolean
  readonly breakLength: number
  readonly sorted: boolean
  readonly maxArrayLength: number
  readonly maxStringLength: number
  readonly seen: object[]
  readonly circular: Map<object, number>
  indent: number
  currentDepth: number
}

function groupArray(
  state: State,
  output: readonly string[],
  value: readonly unknown[] | null,
  extra: boolean,
): readonly string[] {
  let total = 0
  let longest = 0
  const length = extra ? output.length - 1 : output.length
  const separator = 2
  const lengths: number[] = []
  for (let at = 0; at < length; at++) {
    const size = output[at]?.length ?? 0
    lengths.push(size)
    total += size + separator
    if (longest < size) longest = size
  }
  const actual = longest + separator
  if (actual * 3 + state.indent >= state.breakLength || !(total / actual > 5 || longest <= 6)) return output
  const averageBias = Math.sqrt(actual - total / output.length)
  const biased = Math.max(actual - 3 - averageBias, 1)
  const columns = Math.min(
    // About as wide as high, assuming characters 2.5 times as high as wide.
    Math.round(Math.sqrt(2.5 * biased * length) / biased),
    Math.floor((state.breakLength - state.indent) / actual),
    (typeof state.compact === 'number' ? state.compact : 3) * 4,
    15,
  )
  if (columns <= 1) return output
  const rows: string[] = []
  const widths: number[] = []
  for (let column = 0; column < columns; column++) {
    let width = 0
    for (let at = column; at < length; at += columns) width = Math.max(width, lengths[at] ?? 0)
    widths.push(width + separator)
  }
  const isNumbers = value !== null && value.every((each) => typeof each === 'number' || typeof each === 'bigint')
  for (let at = 0; at < length; at += columns) {
    const end = Math.min(at + columns, length)
    let row = ''
    let next = at
    for (; next < end - 1; next++) {
      const padding = widths[next - at] ?? 0
      const cell = `${output[next]}, `
      row += isNumbers ? cell.padStart(padding) : cell.padEnd(padding)
    }
    row += isNumbers ? (output[next] ?? '').padStart((widths[next - at] ?? 0) - separator) : (output[next] ?? '')
    rows.push(row)
  }
  if (extra) rows.push(output[length] ?? '')
  return rows
}

function joined(
  state: State,
  given: readonly string[],
  prefix: string,
  braces: readonly [string, string],
  list: { value: readonly unknown[] | null; extra: boolean } | null,
  level: number,
): string {
  let output = given
  const open = prefix === '' ? braces[0] : `${prefix} ${braces[0]}`
  if (output.length === 0) return `${open}${braces[1]}`
  if (typeof state.compact === 'number' && state.compact >= 1) {
    const entries = output.length
    if (list !== null && entries > 6) output = groupArray(state, output, list.value, list.extra)
    if (state.currentDepth - level < state.compact && entries === output.length) {
      const start = output.length + state.indent + open.length + 10
      const total = output.reduce((sum, each) => sum + each.length, output.length + start)
      const line = output.join(', ')
      if (total <= state.breakLength && !line.includes('\n')) return `${open} ${line} ${braces[1]}`
    }
  }
  const pad = `\n${' '.repeat(state.indent)}`
  return `${open}${pad}  ${output.join(`,${pad}  `)}${pad}${braces[1]}`
}

function formatPrimitive(value: unknown, state: State): string {
  if (typeof value === 'string') {
    const cut = value.length > state.maxStringLength
    const text = cut ? value.slice(0, state.maxStringLength) : value
    const rest = value.length - state.maxStringLength
    return quoted(text) + (cut ? `... ${rest} more character${rest > 1 ? 's' : ''}` : '')
  }
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '-0'
  return String(value)
}

function formatKey(key: PropertyKey): string {
  if (typeof key === 'symbol') return String(key)
  if (key === '__proto__') return "['__proto__']"
  return isKey.test(String(key)) ? String(key) : quoted(String(key))
}

function formatProperty(object: object, key: PropertyKey, state: State, level: number): string {
  const own = Object.getOwnPropertyDescriptor(object, key)
  state.indent += 2
  const accessor =
    own?.get !== undefined
      ? own.set !== undefined
        ? '[Getter/Setter]'
        : '[Getter]'
      : own?.set !== undefined
        ? '[Setter]'
        : null
  const text = accessor ?? format(own?.value, state, level)
  state.indent -= 2
  return `${formatKey(key)}: ${text}`
}

function functionText(value: Function, name: string | null): string {
  const source = Function.prototype.toString.call(value)
  if (source.startsWith('class')) {
    const parent = Object.getPrototypeOf(value) as { name?: unknown } | null
    const above = typeof parent?.name === 'string' && parent.name !== '' ? ` extends ${parent.name}` : ''
    return `[class ${value.name === '' ? '(anonymous)' : value.name}${above}]`
  }
  return `[${name ?? 'Function'}${value.name === '' ? ' (anonymous)' : `: ${value.name}`}]`
}

function errorText(error: Error, state: State): string {
  const { stack } = error
  const text = typeof stack === 'string' && stack !== '' ? stack : `[${String(error)}]`
  return text.replaceAll('\n', `\n${' '.repeat(state.indent)}`)
}

/** The first `shown` elements of a list, with its holes counted. */
function elementTexts(elements: readonly unknown[], shown: number, state: State, level: number): string[] {
  const output: string[] = []
  state.indent += 2
  for (let at = 0; at < shown && output.length <= shown; at++) {
    if (!(at in elements)) {
      let holes = 1
      while (at + holes < elements.length && !(at + holes in elements)) holes++
      output.push(`<${holes} empty item${holes > 1 ? 's' : ''}>`)
      at += holes - 1
    } else output.push(format(elements[at], state, level))
  }
  state.indent -= 2
  const rest = elements.length - shown
  if (rest > 0) output.push(`... ${rest} more item${rest > 1 ? 's' : ''}`)
  return output
}

function formatObject(value: object, state: State, level: number): string {
  const custom = (value as Record<symbol, unknown>)[customInspect]
  if (typeof custom === 'function' && custom !== inspect) {
    const depth = state.depth - level
    const made: unknown = custom.call(value, depth, { ...state, depth }, inspect)
    if (made !== value)
      return typeof made === 'string'
        ? made.replaceAll('\n', `\n${' '.repeat(state.indent)}`)
        : format(made, state, level)
  }
  if (state.seen.includes(value)) {
    if (!state.circular.has(value)) state.circular.set(value, state.circular.size + 1)
    return `[Circular *${state.circular.get(value)}]`
  }
  const name = classNameOf(value)
  const ownTag = (value as Record<symbol, unknown>)[Symbol.toStringTag]
  const tag = typeof ownTag === 'string' && ownTag !== '' && ownTag !== name ? ` [${ownTag}]` : ''
  const isList = Array.isArray(value)
  const isBytes = ArrayBuffer.isView(value) && !(value instanceof DataView)
  let keys: PropertyKey[] = Object.keys(value)
  if (isList || isBytes) keys = keys.filter((key) => !/^(?:0|[1-9]\d*)$/.test(String(key)))
  keys.push(
    ...Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key)),
  )
  if (state.sorted) keys.sort((a, b) => (String(a) < String(b) ? -1 : 1))
  const prefix = (standard: string, size?: number) =>
    (name === null
      ? `[${standard}${size === undefined ? '' : `(${size})`}: null prototype]`
      : name === standard && size === undefined
        ? standard
        : `${name}${size === undefined ? '' : `(${size})`}`) + tag
  let braces: [string, string] = ['{', '}']
  let head = ''
  let list: { value: readonly unknown[] | null; extra: boolean } | null = null
  let items: ((inner: number) => string[]) | null = null

  if (isList || isBytes) {
    const elements = value as unknown as readonly unknown[]
    braces = ['[', ']']
    if (isBytes || name !== 'Array') head = prefix('Array', elements.length)
    if (elements.length === 0 && keys.length === 0) return `${head === '' ? '' : `${head} `}[]`
    const shown = Math.min(state.maxArrayLength, elements.length)
    list = { value: elements, extra: elements.length > shown }
    items = (inner) => elementTexts(elements, shown, state, inner)
  } else if (value instanceof Map) {
    head = prefix('Map', value.size)
    items = (inner) => {
      state.indent += 2
      const output = Array.from(value, ([key, item]) => `${format(key, state, inner)} => ${format(item, state, inner)}`)
      state.indent -= 2
      return output
    }
  } else if (value instanceof Set) {
    head = prefix('Set', value.size)
    items = (inner) => {
      state.indent += 2
      const output = Array.from(value, (item) => format(item, state, inner))
      state.indent -= 2
      return output
    }
  } else if (typeof value === 'function') {
    const text = functionText(value, name)
    if (keys.length === 0) return text
    head = text
  } else if (value instanceof RegExp || value instanceof Date || value instanceof Error) {
    const text =
      value instanceof Error
        ? errorText(value, state)
        : value instanceof Date
          ? Number.isNaN(value.getTime())
            ? 'Invalid Date'
            : value.toISOString()
          : String(value)
    if (value instanceof Error && 'cause' in value && !keys.includes('cause')) keys.push('cause')
    if (keys.length === 0) return text
    head = text
  } else if (value instanceof ArrayBuffer) {
    const bytes = Array.from(new Uint8Array(value, 0, Math.min(50, value.byteLength)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join(' ')
    const rest = value.byteLength - 50
    head = 'ArrayBuffer'
    items = () => [
      `[Uint8Contents]: <${bytes}${rest > 0 ? ` ... ${rest} more byte${rest > 1 ? 's' : ''}` : ''}>`,
      `byteLength: ${value.byteLength}`,
    ]
  } else if (value instanceof Promise) {
    head = 'Promise'
    items = () => ['<pending>']
  } else if (value instanceof WeakSet || value instanceof WeakMap) {
    head = prefix('WeakSet')
    items = () => ['<items unknown>']
  } else if (isBoxed(value)) {
    const text = `[${name}: ${formatPrimitive(value.valueOf(), state)}]`
    keys = keys.filter((key) => !(typeof value.valueOf() === 'string' && /^\d+$/.test(String(key))))
    if (keys.length === 0) return text
    head = text
  } else {
    if (name !== 'Object' || tag !== '') head = prefix('Object')
    if (keys.length === 0) return `${head === '' ? '' : `${head} `}{}`
  }
  if ((value instanceof Map || value instanceof Set) && value.size === 0 && keys.length === 0) return `${head} {}`
  if (level > state.depth) return `[${(name ?? 'Object: null prototype') + tag}]`
  state.seen.push(value)
  state.currentDepth = level + 1
  const output = [...(items?.(level + 1) ?? []), ...keys.map((key) => formatProperty(value, key, state, level + 1))]
  state.seen.pop()
  const mark = state.circular.get(value)
  if (mark !== undefined) head = head === '' ? `<ref *${mark}>` : `<ref *${mark}> ${head}`
  return joined(state, output, head, braces, list, level + 1)
}

function format(value: unknown, state: State, level: number): string {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return formatPrimitive(value, state)
  return formatObject(value, state, level)
}

export function inspect(value: unknown, options: InspectOptions = {}): string {
  const { depth, maxArrayLength, maxStringLength } = { ...defaults, ...options }
  const state: State = {
    ...defaults,
    sorted: false,
    ...options,
    depth: depth ?? Infinity,
    maxArrayLength: maxArrayLength ?? Infinity,
    maxStringLength: maxStringLength ?? Infinity,
    seen: [],
    circular: new Map(),
    indent: 0,
    currentDepth: 0,
  }
  return format(value, state, 0)
}
