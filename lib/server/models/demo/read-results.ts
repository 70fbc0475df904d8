import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { ResultFrame } from '@/lib/protocols/types/strategy-facts'
import { type ToolExecuteStatus, type StrategyId, toolExecuteStatuses } from '@/lib/protocols/types/tool-context-def'
import { type SeenResult, type FormatCalls, type KnownStrategy, type Turn, isChinese } from './turn'
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { Language } from '@/lib/base/text/languages'

interface Frame extends SeenResult {
  readonly end: number
}

/** Splits a user message into the results within the strategy's frames and the user's text after them. */
export function readUserMessage(
  text: string,
  known: readonly ResultFrame[],
): { readonly results: readonly SeenResult[]; readonly words: string } {
  const frames = known.map((frame) => readFrames(text, frame)).find(({ length }) => length > 0)
  if (frames === undefined) return { results: [], words: text.trim() }
  const end = Math.max(...frames.map((frame) => frame.end))
  return {
    results: frames.map(({ name, status, result }) => ({ name, status, result })),
    words: wordsAfter(text, end),
  }
}

function readFrames(text: string, frame: ResultFrame): readonly Frame[] {
  switch (frame.kind) {
    case 'element':
      return readElements(text, frame.name)
    case 'object':
      return readObjects(text, frame.key, frame.value)
    case 'block':
      return readBlock(text, frame)
  }
}

/** The user's text starts with a new paragraph; everything before belongs to the frame. */
function wordsAfter(text: string, end: number): string {
  const paragraph = text.indexOf('\n\n', end)
  return paragraph < 0 ? '' : text.slice(paragraph).trim()
}

/**
 * `{"tool_call_result": {"name", "status", "result"}}`, or with a value `{"action": "tool_result", "name", …}`; one per
 * call.
 */
function readObjects(text: string, key: string, value: string | undefined): readonly Frame[] {
  const frames: Frame[] = []
  const opener = new RegExp(`\\{\\s*"${key}"\\s*:\\s*${value === undefined ? '\\{' : `"${value}"`}`, 'g')
  for (let found = opener.exec(text); found !== null; found = opener.exec(text)) {
    const end = jsonEnd(text, found.index)
    const object = end < 0 ? null : parseJson(text.slice(found.index, end))
    const inner = !isJsonObject(object) ? null : value === undefined ? object[key] : object
    if (!isJsonObject(inner)) continue
    frames.push({
      name: textOf(inner['name']),
      status: statusIn(textOf(inner['status'])),
      result: inner['result'] ?? null,
      end,
    })
    opener.lastIndex = end
  }
  return frames
}

/** `<tool_result id="…" name="…" status="…">JSON</tool_result>` */
function readElements(text: string, tag: string): readonly Frame[] {
  const frames: Frame[] = []
  const opener = new RegExp(`<${tag}\\b([^>]*)>`, 'g')
  for (let found = opener.exec(text); found !== null; found = opener.exec(text)) {
    const attributes = found[1] ?? ''
    const bodyStart = found.index + found[0].length
    const closer = text.indexOf(`</${tag}`, bodyStart)
    if (closer < 0) break
    const end = text.indexOf('>', closer) + 1
    const body = text.slice(bodyStart, closer).trim()
    frames.push({
      name: attribute(attributes, 'name'),
      status: statusIn(attribute(attributes, 'status')),
      result: parseJson(body) ?? body,
      end,
    })
    opener.lastIndex = end
  }
  return frames
}

const attribute = (text: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? ''

/** All results between two literals, one field per line, each result starting with its tool. */
function readBlock(
  text: string,
  { open, close, labels }: Extract<ResultFrame, { readonly kind: 'block' }>,
): readonly Frame[] {
  const start = text.indexOf(open)
  const closeAt = start < 0 ? -1 : text.indexOf(close, start)
  if (closeAt < 0) return []
  const frames: Frame[] = []
  let fields = new Map<string, string>()
  const add = () => {
    if (fields.size > 0)
      frames.push({
        name: textOf(parseJson(fields.get(labels.name) ?? '') ?? undefined),
        status: statusIn(fields.get(labels.status) ?? ''),
        result: parseJson(fields.get(labels.result) ?? ''),
        end: closeAt + close.length,
      })
    fields = new Map()
  }
  for (const [, label = '', value = ''] of text.slice(start, closeAt).matchAll(/^- ([^:\n]{1,80}): (.*)$/gm)) {
    if (label === labels.name) add()
    fields.set(label, value)
  }
  add()
  return frames
}

export const statusIn = (text: string): ToolExecuteStatus =>
  toolExecuteStatuses.find((status) => text.includes(status)) ?? 'completed'

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

export function parseJson(text: string): JsonValue | null {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return null
  }
}

/** The end of the JSON value that begins at `start`, or -1. */
function jsonEnd(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let index = Math.max(start, 0); index < text.length; index++) {
    const char = text[index]
    if (inString) {
      if (char === '\\') index += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return -1
}

/**
 * Reads everything that the script may know from the prompt that any model would get. Tools as schemas mean native
 * calls.
 */
export function readTurn(
  prompt: LanguageModelV4Prompt,
  known: readonly KnownStrategy[],
  formatCalls: FormatCalls,
  tools: LanguageModelV4CallOptions['tools'] = [],
): Turn {
  let system = ''
  let task = ''
  let previousTask = ''
  let language: Language = 'en'
  const frames = known.map(({ resultFrame }) => resultFrame)
  let rounds: (readonly SeenResult[])[] = []
  for (const message of prompt) {
    if (message.role === 'system') system += `${message.content}\n`
    if (message.role === 'tool') {
      rounds = [...rounds, message.content.flatMap((part) => (part.type === 'tool-result' ? [seenResult(part)] : []))]
    }
    if (message.role !== 'user') continue
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const { results, words } = readUserMessage(text, frames)
    if (words === '') rounds = [...rounds, results]
    else {
      previousTask = task
      task = words
      if (isChinese(words)) language = 'zh-CN'
      // Commands and paths have no language; only sentences do.
      else if (words.split(/\s+/).length > 4) language = 'en'
      rounds = []
    }
  }
  const native = tools.length > 0
  const strategy = native ? (known.find(({ signature }) => signature === null)?.id ?? null) : strategyOf(system, known)
  return {
    language,
    task,
    previousTask,
    rounds,
    strategy,
    tools: native
      ? new Set(tools.map(({ name }) => name))
      : strategy === null
        ? new Set()
        : offeredTools(system, known.find(({ id }) => id === strategy)?.offeredToolPattern),
    known,
    formatCalls,
  }
}

/** Reads `{"status", "result"}` from the text of a tool message. */
function seenResult({ toolName, output }: LanguageModelV4ToolResultPart): SeenResult {
  const value = output.type === 'text' || output.type === 'error-text' ? parseJson(output.value) : null
  if (!isJsonObject(value)) return { name: toolName, status: 'completed', result: value }
  const status = value['status']
  return {
    name: toolName,
    status: statusIn(typeof status === 'string' ? status : ''),
    result: value['result'] ?? null,
  }
}

/** The strategy whose signature occurs most often, because the user's text in the prompt may mention another one. */
function strategyOf(system: string, known: readonly KnownStrategy[]): StrategyId | null {
  let best: StrategyId | null = null
  let most = 0
  for (const { id, signature } of known) {
    const count = signature === null ? 0 : system.split(signature).length - 1
    if (count > most) [best, most] = [id, count]
  }
  return best
}

/** Signature lines: `write_file(path: string, content: string)`. */
const signatureLine = /^[ \t]*(?:[-*] )?`?([a-z]\w*)\(/gm

const offeredTools = (system: string, offeredToolPattern = signatureLine): ReadonlySet<string> =>
  new Set([...system.matchAll(offeredToolPattern)].map(([, name]) => name ?? ''))
