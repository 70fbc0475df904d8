import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { replyFormHere, completeText } from '@/lib/client/state/parsed-reply'
import type { ReplyForm } from '@/lib/protocols/types/reply-form'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { PreviewSegment, ReplyScanner, ToolSpec } from '@/lib/protocols/types/tool-context-def'

/** Reads one growing reply for display. Each character is scanned once, however often it is asked. */
export interface StreamingReader {
  readonly read: (message: AssistantMessage) => readonly PreviewSegment[]
}

export function createStreamingReader(tools: readonly ToolSpec[]): StreamingReader {
  let current: { readonly scanner: ReplyScanner; readonly form: ReplyForm; fed: string } | null = null
  return {
    read(message) {
      const { text } = message
      if (!message.toolsEnabled) return completeText(text)
      // A log that was joined again may start over: what was fed is then no beginning of the text.
      const form = replyFormHere(message)
      if (!current || current.form !== form || !text.startsWith(current.fed)) {
        const scanner = toolContextBuilder.get(form).createScanner(tools)
        current = { scanner, form, fed: '' }
      }
      if (text.length > current.fed.length) {
        current.scanner.push(text.slice(current.fed.length))
        current.fed = text
      }
      return current.scanner.preview()
    },
  }
}
