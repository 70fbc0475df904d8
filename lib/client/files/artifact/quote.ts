import { asWritten } from '@/lib/base/untrusted-text/foreign'
import type { PageLine, PageLocation } from '../page/page-messages'
import { t } from '@/lib/i18n/t'

/** Longer quotes are cut: the model can read the file. */
const quoteLimits = { lines: 12, lineChars: 200, consoleLines: 20 } as const

/** A place in a text file. */
export interface QuotedText {
  /** From 1; null: unknown, or the whole file. */
  readonly lines: readonly [first: number, last: number] | null
  /** The selected text; '' if there is none. */
  readonly text: string
}

/** Text for the composer that names an element of a page. The page's own text is in quotation marks. */
export function quoteAt(path: string, { selector, words }: PageLocation): string {
  const head = t('artifact.quote.place', { path: asWritten(path), selector })
  return words === '' ? `${head}\n` : `${head}\n${quoted([words])}\n`
}

/** The same for a text, by its lines. */
export function quoteOfText(path: string, { lines, text }: QuotedText): string {
  const head =
    lines === null
      ? t('artifact.quote.file', { path: asWritten(path) })
      : lines[0] === lines[1]
        ? t('artifact.quote.line', { path: asWritten(path), line: lines[0] })
        : t('artifact.quote.lines', { path: asWritten(path), first: lines[0], last: lines[1] })
  const selected = text
    .replaceAll('\r', '')
    .split('\n')
    .filter((line, at, all) => line !== '' || (at > 0 && at < all.length - 1))
  return text.trim() === '' ? `${head}\n` : `${head}\n${quoted(selected)}\n`
}

/** A page's console output, quoted for the model. */
export function quoteOfConsole(path: string, lines: readonly PageLine[]): string {
  const texts = lines.slice(-quoteLimits.consoleLines).map(({ level, text, place }) => {
    const where = place === '' ? '' : ` (${place})`
    return `${level === 'log' ? '' : `${level}: `}${text}${where}`
  })
  const fence = '`'.repeat(Math.max(3, longestRun(texts.join('\n')) + 1))
  return `${t('artifact.quote.console', { path: asWritten(path) })}\n${fence}text\n${texts.join('\n')}\n${fence}\n`
}

const quoted = (lines: readonly string[]): string => {
  const shown = lines.slice(0, quoteLimits.lines).map((line) => {
    const fits = line.length <= quoteLimits.lineChars
    return `> ${fits ? line : `${line.slice(0, quoteLimits.lineChars - 1)}…`}`
  })
  return [...shown, ...(lines.length > shown.length ? ['> …'] : [])].join('\n')
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))

/**
 * Returns the lines of a source from which a selection of its rendered form comes: from its first to its last words
 * that the source contains unchanged; null if it does not, or contains them more than once.
 */
export function linesOfSelection(source: string, selected: string): QuotedText['lines'] {
  const lines = source.split('\n')
  const parts = selected
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) return null
  const begins = lines.flatMap((line, at) => (line.includes(first) ? [at + 1] : []))
  const [begin] = begins
  if (begin === undefined || begins.length > 1) return null
  const end = lines.findIndex((line, at) => at + 1 >= begin && line.includes(last))
  return end < 0 ? null : [begin, end + 1]
}
