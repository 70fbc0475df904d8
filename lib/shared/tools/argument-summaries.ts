import { t } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'
import type { CallSummary } from './tool'

/** The paths of a call whose tool takes one, as the argument `path`. */
export const pathArgument = ({ path }: JsonObject): readonly string[] => (typeof path === 'string' ? [path] : [])

/** A text argument, for a card: what a model wrote may be anything. */
export const textArgument = (args: JsonObject, name: string): string => {
  const value = args[name]
  return typeof value === 'string' ? value : ''
}

/** Lines of a text as an editor counts them: a last line break does not open a new line. */
const countLines = (code: string) => (code === '' ? 0 : code.replace(/\r?\n$/, '').split(/\r\n|\n|\r/).length)

/** "Run 14 lines of Python", for a tool whose one argument is `code`. */
export function summarizeCode(args: JsonObject, language: 'JavaScript' | 'Python'): CallSummary {
  const code = textArgument(args, 'code')
  const lines = countLines(code)
  const size = { lines, language }
  return {
    head: t('tool.code', size),
    headIsCode: false,
    sentence: [t('tool.run-code', size)],
    body: { kind: 'code', language: language.toLowerCase(), text: code },
  }
}
