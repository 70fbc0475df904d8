import type { AssistantMessage } from '@/lib/conversation/conversation'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { PreviewSegment, ReplyScanner, StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'

/** Reads one growing reply for display. Each character is scanned once, however often it is asked. */
export interface StreamingReader {
  readonly read: (message: AssistantMessage) => readonly PreviewSegment[]
}

export function createStreamingReader(tools: readonly ToolSpec[]): StreamingReader {
  let current: { readonly scanner: ReplyScanner; readonly strategy: StrategyId; fed: string } | null = null
  return {
    read(message) {
      const { text } = message
      if (!message.toolsEnabled) return text === '' ? [] : [{ kind: 'text', start: 0, end: text.length }]
      // A log that was joined again may start over: what was fed is then no beginning of the text.
      if (!current || current.strategy !== message.strategy || !text.startsWith(current.fed)) {
        const scanner = toolContextBuilder.get(message.strategy).createScanner(tools)
        current = { scanner, strategy: message.strategy, fed: '' }
      }
      if (text.length > current.fed.length) {
        current.scanner.push(text.slice(current.fed.length))
        current.fed = text
      }
      return current.scanner.preview()
    },
  }
}
