import { isJsonObject } from '@/lib/base/json'
import type { JsonValue } from '@/lib/base/json'
import type { ResultFrame } from '@/lib/protocols/types/strategy-facts'
import type { ToolExecuteStatus } from '@/lib/protocols/types/tool-context-def'
import type { SeenResult } from './turn'
import { toolExecuteStatuses } from '@/lib/protocols/types/tool-execute-statuses'

interface Frame extends SeenResult {
  readonly end: number
}

/** A user message in two: the results that stand in a strategy's frames, and the user's words after them. */
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

/** What a user wrote begins in a paragraph of its own; up to there it is the frame's own end. */
function wordsAfter(text: string, end: number): string {
  const paragraph = text.indexOf('\n\n', end)
  return paragraph < 0 ? '' : text.slice(paragraph).trim()
}

/** `{"tool_call_result": {"name", "status", "result"}}`, or with a value `{"action": "tool_result", "name", …}`, one a call. */
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

/** Between two literals all results, a line a field, each result begun by its tool. */
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

/** Where the JSON value that begins at `start` ends, or -1. */
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
