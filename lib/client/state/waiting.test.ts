import { describe, expect, it } from 'vitest'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { promotedSlot } from '@/lib/shared/calls/message-calls'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { callKey, type ConversationState, emptyView } from './state'
import { callRow, conversationRow, replyRow } from '../chats/testing/rows'
import { waitingCount } from './last-reply'

const written = toolContextBuilder.get('JSON_Strict').formatCalls([
  { name: 'list_directory', arguments: { path: '/' } },
  { name: 'list_directory', arguments: { path: '/a' } },
])
const quoted = written.replaceAll(/^/gm, '> ')

function viewOf(text: string, patch: Partial<ConversationState> = {}): ConversationState {
  const reply = replyRow('r', null, { text, strategy: 'JSON_Strict' })
  const conversation = conversationRow({ headId: 'r' })
  return { ...emptyView, phase: 'ready', conversation, tree: new Map([['r', reply]]), path: [reply], ...patch }
}

const live = (problem: string | null) => ({ startedAt: 1, attempt: 1, events: [], outcome: null, problem })

describe('waitingCount', () => {
  it('counts undecided calls, not those this tab handles, and again those whose decision failed', () => {
    expect(waitingCount(viewOf(written), builtIn)).toBe(2)
    expect(waitingCount(viewOf(written, { calls: new Map([[callKey('r', 0), callRow('r', 0)]]) }), builtIn)).toBe(1)
    expect(waitingCount(viewOf(written, { live: new Map([[callKey('r', 0), live(null)]]) }), builtIn)).toBe(1)
    expect(waitingCount(viewOf(written, { live: new Map([[callKey('r', 0), live('Nothing ran.')]]) }), builtIn)).toBe(2)
  })

  it('counts a result that waits for review', () => {
    const outcome = { status: 'completed', result: 1, durationMs: 1, console: [], displays: [] } as const
    const gated = callRow('r', 0, { outcome, gated: true })
    expect(waitingCount(viewOf(written, { calls: new Map([[callKey('r', 0), gated]]) }), builtIn)).toBe(2)
    const released = { ...gated, release: { kind: 'sent', by: { kind: 'click' }, note: '', releasedAt: 1 } as const }
    expect(waitingCount(viewOf(written, { calls: new Map([[callKey('r', 0), released]]) }), builtIn)).toBe(1)
  })

  it('counts a quoted call once the user accepted it as a call', () => {
    const text = `Like this:\n\n${quoted}\n`
    const call = toolContextBuilder
      .parseResponse('JSON_Strict', text, builtIn.specs())
      .segments.find((segment) => segment.kind === 'call')
    expect(call?.standing).toBe('quoted')
    expect(waitingCount(viewOf(text), builtIn)).toBe(0)
    const row = { messageId: 'r', slot: promotedSlot(call?.start ?? 0), call: null, amendedAt: 1 }
    expect(waitingCount(viewOf(text, { amendments: new Map([['r', [row]]]) }), builtIn)).toBe(1)
  })
})
