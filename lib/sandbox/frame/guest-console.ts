import { preludeLimits } from '../limits'
import type { ConsoleLevel } from '../sandbox'
import { formatValue } from './format-value'
import type { RunConsoleLine } from './protocol'

const maxRows = 200
const maxColumns = 20
const maxCell = 60

const cellOf = (value: unknown) => {
  const text = formatValue(value, { depth: 1, items: 10, characters: maxCell }).replaceAll('\n', ' ')
  return text.length > maxCell ? `${text.slice(0, maxCell - 1)}…` : text
}

const rowsOf = (data: object): readonly (readonly [string, unknown])[] =>
  data instanceof Map
    ? [...data].map(([key, value]) => [cellOf(key), value] as const)
    : data instanceof Set
      ? [...data].map((value, at) => [String(at), value] as const)
      : Object.entries(data)

/** `console.table`: an aligned text table; a value that is not an object is shown as by `console.log`. */
export function formatTable(data: unknown, only: readonly string[] | null): string {
  if (typeof data !== 'object' || data === null) return formatValue(data)
  const rows = rowsOf(data)
  const shown = rows.slice(0, maxRows)
  const columns: string[] = []
  let hasPlain = false
  for (const [, value] of shown) {
    if (typeof value !== 'object' || value === null) hasPlain = true
    else
      for (const key of Object.keys(value)) if (!columns.includes(key) && columns.length < maxColumns) columns.push(key)
  }
  const keys = only ?? columns
  const head = ['(index)', ...keys, ...(hasPlain && only === null ? ['Values'] : [])]
  const body = shown.map(([index, value]) => {
    const isRecord = typeof value === 'object' && value !== null
    const fields = isRecord ? (value as Readonly<Record<string, unknown>>) : {}
    const cells = keys.map((key) => (Object.hasOwn(fields, key) ? cellOf(fields[key]) : ''))
    return [index, ...cells, ...(hasPlain && only === null ? [isRecord ? '' : cellOf(value)] : [])]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' │ ')
      .trimEnd()
  const rule = widths.map((columnWidth) => '─'.repeat(columnWidth)).join('─┼─')
  const more = rows.length > shown.length ? [`… ${rows.length - shown.length} more rows`] : []
  return [line(head), rule, ...body.map(line), ...more].join('\n')
}

/** Fills `%s %d %i %f %j %o %O %c` as consoles do, then joins the rest with spaces. */
export function formatMessage(values: readonly unknown[]): string {
  const [first, ...rest] = values
  if (typeof first !== 'string' || rest.length === 0) return values.map((value) => formatValue(value)).join(' ')
  const filled = first.replace(/%[sdifjoOc%]/g, (mark) => {
    if (mark === '%%') return '%'
    if (rest.length === 0) return mark
    const value = rest.shift()
    switch (mark) {
      case '%c':
        return ''
      case '%d':
      case '%i':
        return typeof value === 'bigint'
          ? `${value}n`
          : String(mark === '%i' ? Math.trunc(Number(value)) : Number(value))
      case '%f':
        return String(Number(value))
      case '%j':
        return JSON.stringify(value) ?? 'undefined'
      default:
        return formatValue(value)
    }
  })
  return [filled, ...rest.map((value) => formatValue(value))].join(' ')
}

const immediateLines = 100

export interface GuestConsole {
  /** The `console` object for the code. */
  readonly api: Readonly<Record<string, (...values: unknown[]) => void>>
  write(level: ConsoleLevel, text: string): void
  /** Sends the lines that are held back. */
  flush(): void
}

export interface GuestConsolePorts {
  /** Formats the printed values as one text; omitted: as consoles do. */
  readonly format?: (values: readonly unknown[]) => string
  readonly send: (lines: readonly RunConsoleLine[]) => void
  /** Runs `task` a little later; lines printed meanwhile are sent together. */
  readonly later: (task: () => void) => void
  readonly monotonic: () => number
}

/** A console that turns everything into text at once, joins many lines into fewer messages, and stops at its limits. */
export function createGuestConsole({
  send,
  later,
  monotonic,
  format = formatMessage,
}: GuestConsolePorts): GuestConsole {
  let held: RunConsoleLine[] = []
  let isScheduled = false
  let indent = ''
  const sent = { lines: 0, characters: 0 }
  const counts = new Map<string, number>()
  const starts = new Map<string, number>()

  const flush = () => {
    isScheduled = false
    if (held.length > 0) send(held)
    held = []
  }

  function write(level: ConsoleLevel, text: string): void {
    sent.lines++
    if (sent.lines > preludeLimits.logLines || sent.characters > preludeLimits.logCharacters) return
    let line = indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`)
    if (line.length > preludeLimits.logLineCharacters) line = `${line.slice(0, preludeLimits.logLineCharacters)}…`
    sent.characters += line.length
    held.push([level, line])
    if (sent.lines === preludeLimits.logLines || sent.characters > preludeLimits.logCharacters) {
      held.push(['warn', 'The console is full: further lines are left out.'])
    }
    // The first lines are sent at once: an endless loop would keep a timer from sending them.
    if (sent.lines <= immediateLines || held.length >= 200) flush()
    else if (!isScheduled) {
      isScheduled = true
      later(flush)
    }
  }

  const at =
    (level: ConsoleLevel) =>
    (...values: unknown[]) =>
      write(level, format(values))
  const label = (value: unknown) => (value === undefined ? 'default' : formatValue(value))
  const elapsed = (name: string) => {
    const start = starts.get(name)
    return start === undefined ? null : `${name}: ${(monotonic() - start).toFixed(1)} ms`
  }
  const group = (...values: unknown[]) => {
    if (values.length > 0) write('log', format(values))
    indent = `${indent}  `.slice(0, 40)
  }

  return {
    write,
    flush,
    api: {
      log: at('log'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      debug: at('debug'),
      trace: at('debug'),
      dir: (value) => write('log', format([value])),
      dirxml: at('log'),
      table: (data, columns) => write('log', formatTable(data, Array.isArray(columns) ? columns.map(String) : null)),
      assert: (condition, ...values) => {
        if (!condition) write('error', `Assertion failed${values.length > 0 ? `: ${format(values)}` : ''}`)
      },
      count: (name) => {
        const count = (counts.get(label(name)) ?? 0) + 1
        counts.set(label(name), count)
        write('log', `${label(name)}: ${count}`)
      },
      countReset: (name) => void counts.delete(label(name)),
      time: (name) => void starts.set(label(name), monotonic()),
      timeLog: (name, ...values) => {
        const text = elapsed(label(name))
        if (text !== null) write('log', [text, ...values.map((value) => formatValue(value))].join(' '))
      },
      timeEnd: (name) => {
        const text = elapsed(label(name))
        starts.delete(label(name))
        if (text !== null) write('log', text)
      },
      group,
      groupCollapsed: group,
      groupEnd: () => {
        indent = indent.slice(2)
      },
      clear: () => {},
    },
  }
}
