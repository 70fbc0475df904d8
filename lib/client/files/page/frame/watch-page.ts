import type { SiblingFiles } from './frame-modules'

const maxLength = 1_000

/** A page's console output as text: a short form of each value, never longer than a screen. */
export const describePageMessage = (values: readonly unknown[]): string =>
  values.map(describeOne).join(' ').slice(0, maxLength)

function describeOne(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, maxLength)
  if (value instanceof Error) return describeError(value)
  if (value instanceof Element) return `<${value.localName}>`
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value).slice(0, maxLength)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

const describeError = ({ name, message }: Error): string => `${name}: ${message}`

/** At most this many lines per second are reported; a page may print in each animation frame. */
const maxLinesASecond = 50

const levels = { log: 'log', info: 'log', debug: 'log', warn: 'warn', error: 'error' } as const

type Say = (message: object) => void

/** Reports the page's output, its errors, and what its policy refuses. */
export function watchPage(say: Say, beside: SiblingFiles): void {
  const line = limited(say)
  for (const [name, level] of Object.entries(levels)) {
    const own = console[name as keyof typeof levels].bind(console)
    console[name as keyof typeof levels] = (...values: unknown[]) => {
      own(...values)
      line({ type: 'line', level, text: describePageMessage(values), place: '' })
    }
  }
  // The frame can't open dialogs, so the text of one is printed instead.
  window.alert = (words?: unknown) =>
    line({ type: 'line', level: 'log', text: `alert: ${describePageMessage([words ?? ''])}`, place: '' })
  addEventListener('error', (event) => {
    if (!(event instanceof ErrorEvent)) return
    const error: unknown = event.error
    const text = error instanceof Error ? describeError(error) : event.message
    line({ type: 'line', level: 'error', text, place: placeOf(event) })
  })
  addEventListener('unhandledrejection', ({ reason }: PromiseRejectionEvent) =>
    line({ type: 'line', level: 'error', text: describePageMessage([reason]), place: '' }),
  )
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    const address = blockedURI || effectiveDirective
    // A refused request of our own origin is for a file that comes in another way, or that is reported by its name.
    if (/^https?:/i.test(address) && beside.find(address).kind !== 'outside') return
    line({ type: 'refused', address })
  })
}

/** Scripts are named by their paths (`sourceURL`); the page's own line numbers are those of the generated HTML. */
function placeOf({ filename, lineno }: ErrorEvent): string {
  if (!filename.startsWith('/')) return ''
  return /\.html?$/i.test(filename) ? filename : `${filename}:${lineno}`
}

function limited(say: Say): Say {
  let second = 0
  let reportCount = 0
  return (message) => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) {
      second = now
      reportCount = 0
    }
    reportCount += 1
    if (reportCount <= maxLinesASecond) say(message)
  }
}
