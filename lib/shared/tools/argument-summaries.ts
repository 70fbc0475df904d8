import { t } from '@/lib/i18n/t'
import { type JsonObject, isJsonObject, type JsonValue } from '@/lib/base/json'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import type { CallSummary, CurrentItem, PathInfo } from './tool'
import { formatBytes } from '@/lib/base/text/locale'

/** The paths of a call whose tool has one, as the argument `path`. */
export const pathArgument = ({ path }: JsonObject): readonly string[] => (typeof path === 'string' ? [path] : [])

/** A text argument, for a card: the model may write anything there. */
export const textArgument = (args: JsonObject, name: string): string => {
  const value = args[name]
  return typeof value === 'string' ? value : ''
}

/** Lines of a text as an editor counts them: a final line break does not begin a new line. */
const countLines = (code: string) => (code === '' ? 0 : code.replace(/\r?\n$/, '').split(/\r\n|\n|\r/).length)

/** "Run 14 lines of Python", for a tool that runs its argument `code`, or the script `file`. */
export function summarizeCode(args: JsonObject, language: 'JavaScript' | 'Python', look?: PathInfo): CallSummary {
  const code = textArgument(args, 'code')
  const file = textArgument(args, 'file')
  if (code === '' && file !== '') return summarizeScript(file, args['args'] ?? [], language, look?.(file))
  const lines = countLines(code)
  const size = { lines, language }
  return {
    head: t('tool.code', size),
    headIsCode: false,
    sentence: [t('tool.run-code', size)],
    body: { kind: 'code', language: language.toLowerCase(), text: code },
  }
}

/** A script of the chat's files: the card shows its text, and Run requires that text. */
function summarizeScript(
  file: string,
  args: JsonValue,
  language: 'JavaScript' | 'Python',
  current: CurrentItem | null | undefined,
): CallSummary {
  const words = Array.isArray(args) ? args.filter((one): one is string => typeof one === 'string') : []
  const state = current === null ? 'missing' : current?.text === null ? 'unread' : 'there'
  return {
    head: file,
    headIsCode: true,
    sentence: withParts((part) =>
      t('tool.run-script', {
        path: part({ code: file }),
        state,
        count: words.length,
        // Separate parts, so that the end of each is visible.
        args: words.map((word) => part({ code: word })).join(' '),
      }),
    ),
    dependsOn: [file],
    body:
      current?.text == null
        ? { kind: 'arguments' }
        : { kind: 'code', language: language.toLowerCase(), text: current.text },
  }
}

/* How much a call did, for its card's head, read from a result that may be of any version. */

const member = (result: JsonValue, name: keyof JsonObject): JsonValue | undefined =>
  isJsonObject(result) ? result[name] : undefined

/** The number of bytes in a member. */
export const bytesIn = (result: JsonValue, name: string): string => {
  const bytes = member(result, name)
  return typeof bytes === 'number' ? formatBytes(bytes) : ''
}

/** The bytes of a member's text, in UTF-8. */
export const textBytesIn = (result: JsonValue, name: string): string => {
  const text = member(result, name)
  return typeof text === 'string' ? formatBytes(new TextEncoder().encode(text).byteLength) : ''
}

/** "1 entry", "14 entries", as `say` formats it: the length of a list, or the count in a member. */
export const countIn = (result: JsonValue, name: string, say: (count: number) => string): string => {
  const value = member(result, name)
  const count = Array.isArray(value) ? value.length : value
  return typeof count === 'number' ? say(count) : ''
}
