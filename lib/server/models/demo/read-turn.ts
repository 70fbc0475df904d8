import { isJsonObject } from '@/lib/base/json'
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import type { Language } from '@/lib/base/text/languages'
import { isChinese } from './describe-results'
import { parseJson, readUserMessage, statusIn } from './read-results'
import type { FormatCalls, KnownStrategy, SeenResult, Turn } from './turn'

/** Reads everything the script may know out of what any model would be sent. Tools as schemas mean native calls. */
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
      // A command or a path is of no language; a sentence is.
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
        : offeredTools(system, known.find(({ id }) => id === strategy)?.toldTool),
    known,
    formatCalls,
  }
}

/** `{"status", "result"}` as the text of a tool message. */
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

/** The strategy whose signature appears most often: a user's own words in the prompt may mention another. */
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

const offeredTools = (system: string, toldTool = signatureLine): ReadonlySet<string> =>
  new Set([...system.matchAll(toldTool)].map(([, name]) => name ?? ''))
