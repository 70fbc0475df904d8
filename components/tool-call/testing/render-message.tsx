import { render } from '@testing-library/react'
import { vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider, AnswerProvider } from '@/components/context/chat-context'
import type { AssistantMessage, Message, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import { stored } from '@/lib/client/chats/testing/rows'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { showConversation as showing } from '@/lib/client/state/open-conversations'
import { callKey, emptyView, initialState } from '@/lib/client/state/state'
import type { LiveCall } from '@/lib/shared/calls/call-state'
import { createClientStore } from '@/lib/client/state/store'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { toolRegistry } from '@/lib/shared/tools/testing/built-in'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import type { ToolRegistry } from '@/lib/shared/tools/tool-registry'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { preloadCards, ToolCallRenderer } from '../tool-call-renderer'
import { ToolRegistryProvider } from '@/components/context/tools-context'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import { approvalsOver } from './question-source'
import { conversation } from './fixtures'

// As in the page, where they load while the reply is written.
await preloadCards()

export interface Scene {
  readonly message: AssistantMessage
  readonly records?: readonly CallRecord[]
  readonly lives?: Readonly<Record<number, LiveCall>>
  readonly heldBack?: string
  readonly after?: readonly Message[]
  readonly held?: boolean
  readonly runtime?: () => Promise<ToolRuntime>
  readonly amendments?: readonly CallAmendment[]
  readonly grants?: readonly Grant[]
  readonly before?: readonly Message[]
  readonly tools?: Partial<ToolCallConfig>
  /** Left out: the page's registry. */
  readonly registry?: ToolRegistry
  /** The tools that the conversation registered. */
  readonly registered?: readonly RegisteredTool[]
  readonly models?: ModelsResponse
}

export function renderMessage(scene: Scene) {
  const { message } = scene
  const path: Message[] = [...(scene.before ?? []), message, ...(scene.after ?? [])]
  const state = showing(initialState, {
    ...emptyView,
    id: 'c1',
    phase: 'ready',
    conversation: {
      ...conversation,
      settings: { ...conversation.settings, tools: { ...conversation.settings.tools, ...scene.tools } },
    },
    amendments: new Map(scene.amendments ? [[message.id, scene.amendments]] : []),
    grants: scene.grants ?? [],
    tools: scene.registered ?? [],
    tree: new Map(path.map((row) => [row.id, row])),
    path,
    calls: new Map((scene.records ?? []).map((row) => [callKey(row.messageId, row.slot), row])),
    live: new Map(Object.entries(scene.lives ?? {}).map(([slot, one]) => [callKey(message.id, Number(slot)), one])),
    heldBack: new Map(scene.heldBack === undefined ? [] : [[message.id, scene.heldBack]]),
  })
  const store = createClientStore({ ...state, models: scene.models ?? null })
  const calls = {
    run: vi.fn<CallActions['run']>(),
    continueRounds: vi.fn<CallActions['continueRounds']>(),
    look: vi.fn<CallActions['look']>(),
    deny: vi.fn<CallActions['deny']>(),
    explain: vi.fn<CallActions['explain']>(() => Promise.resolve(null)),
    holdForReason: vi.fn<CallActions['holdForReason']>(() => () => {}),
    stop: vi.fn<CallActions['stop']>(),
    answerReview: vi.fn<CallActions['answerReview']>(),
    showPictures: vi.fn<CallActions['showPictures']>(),
    answerQuestion: vi.fn<CallActions['answerQuestion']>(),
    answerInner: vi.fn<CallActions['answerInner']>(),
    runAgain: vi.fn<CallActions['runAgain']>(),
    notifyModel: vi.fn<CallActions['notifyModel']>(),
    skip: vi.fn<CallActions['skip']>(),
    amend: vi.fn<CallActions['amend']>(() => Promise.resolve(null)),
    release: vi.fn<CallActions['release']>(() => Promise.resolve(null)),
    remember: vi.fn<CallActions['remember']>(() => Promise.resolve(null)),
    workOnCopy: vi.fn<CallActions['workOnCopy']>(() => Promise.resolve(null)),
    allowEffects: vi.fn<CallActions['allowEffects']>(() => Promise.resolve(null)),
    endCopy: vi.fn<CallActions['endCopy']>(() => Promise.resolve(null)),
    revokeGrant: vi.fn<CallActions['revokeGrant']>(() => Promise.resolve(null)),
    checkLookAnswer: vi.fn<CallActions['checkLookAnswer']>(() => Promise.resolve(false)),
    watchRunner: vi.fn<CallActions['watchRunner']>((_message, _slot, onChange) => {
      onChange(scene.held ?? false)
      return () => {}
    }),
  }
  const append = vi.fn<ChatActions['append']>(() => Promise.resolve(stored))
  const updateSettings = vi.fn<ChatActions['updateSettings']>(() => Promise.resolve(null))
  const chat = { append, updateSettings } as unknown as ChatActions
  const runtime = scene.runtime ?? (() => Promise.reject(new Error('no files here')))
  const value = { store, chat, calls }
  const view = render(
    <ChatProvider value={value}>
      <ToolRegistryProvider value={scene.registry ?? toolRegistry}>
        <AnswerProvider value={approvalsOver(store, calls, scene.registry)}>
          <ToolRuntimeProvider value={runtime}>
            <InThread row={message} path={path}>
              <ToolCallRenderer />
            </InThread>
          </ToolRuntimeProvider>
        </AnswerProvider>
      </ToolRegistryProvider>
    </ChatProvider>,
  )
  return { ...view, calls, append, updateSettings, store }
}
