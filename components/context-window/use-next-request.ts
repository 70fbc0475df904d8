import { useEffect, useRef, useState, type RefObject } from 'react'
import { useChat, useConversation } from '@/components/context/chat-context'
import { messageFieldId } from '@/components/context/show-in-page'
import { loadToolRegistry } from '@/components/context/use-waiting'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { readDraftFiles } from '@/components/files/attach/draft-files'
import { loadPart } from '@/lib/i18n/load-part'
import { ratioLearntIn } from '@/lib/shared/prompt/prompt-budget'
import { memoryTool, type PromptContext } from '@/lib/shared/conversation/settings/project'
import type { ChatOfContext } from '@/lib/client/api/project-list'
import { asSent } from '@/lib/shared/prompt/shared-content'
import { filesDraft, type Drafts } from '@/lib/client/outbox/drafts'
import { viewOf } from '@/lib/client/state/open-conversations'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import { ratioOfReply } from '@/lib/shared/conversation/settings/token-ratio'
import type { ModelInfo, TokenPrice } from '@/lib/shared/models/model'
import { connectedOf } from '@/lib/client/wiring/tools/chat-tools.browser'
import { mayHaveSkills } from '@/lib/client/wiring/noted.browser'
import { tokenMemory } from '@/lib/client/wiring/unsent.browser'
import type { NextRequest } from './count-tokens'
import { t } from '@/lib/i18n/t'

/** Counting waits for this pause in typing, so that it never slows a keystroke. */
const QUIET_MS = 400

/** The next request, and what it was counted with. */
export interface CountedRequest extends NextRequest {
  readonly model: Pick<ModelInfo, 'id' | 'label' | 'price' | 'simulated'> | null
  readonly windowTokens: number | null
  /** Tokens that the model counts per estimated token; null if unknown. */
  readonly ratio: number | null
}

/** The shown chat's model, if it is listed. */
export const useShownModel = (): ModelInfo | undefined =>
  useChat((state) => state.models?.models.find((one) => one.id === viewOf(state).conversation?.settings.model))

/** The prompt's parts besides the settings; only chats with a project, a memory or skills have them. */
async function contextOf(chat: ChatOfContext & { readonly id: string }): Promise<PromptContext | undefined> {
  const { project, settings } = chat
  const [context, skills] = await Promise.all([
    project || settings.tools.toolToggles[memoryTool]
      ? loadPart(() => import('@/lib/client/wiring/projects.browser')).then(({ loadContext }) => loadContext(chat))
      : undefined,
    mayHaveSkills()
      ? loadPart(() => import('@/lib/client/wiring/skills.browser')).then(({ skillsOfPrompt }) =>
          skillsOfPrompt(chat.id),
        )
      : [],
  ])
  return skills.length === 0 ? context : { ...context, skills }
}

/** The branch's newest reply that has ended. */
export function lastReplyOf(path: readonly ChatRow[]): AssistantMessage | undefined {
  const last = path.findLast((row) => row.role === 'assistant')
  return last && isHere(last) && last.role === 'assistant' && last.outcome !== null ? last : undefined
}

/**
 * Counts the next request of the shown chat on every change: messages, settings, and the form around `place`. Null
 * until counted. The estimate is a convenience, so errors are not shown. A new chat is counted from the first typed
 * word, because the counter needs the code that reads replies, which loads while the message is written.
 */
export function useNextRequest(place: RefObject<HTMLElement | null>, drafts: Drafts): CountedRequest | null {
  const path = useConversation((view) => view.path)
  const id = useConversation((view) => view.id)
  const settings = useConversation((view) => view.conversation?.settings)
  const project = useConversation((view) => view.conversation?.project)
  const marks = useConversation((view) => view.conversation?.marks)
  const tools = useConversation((view) => view.tools)
  const running = useConversation((view) => view.run !== null)
  const model = useShownModel()
  const [counted, setCounted] = useState<CountedRequest | null>(null)
  useLearning(path)
  const hasCounted = useRef(false)

  useEffect(() => {
    if (!settings || running) return
    let wanted = true
    const draftOf = () => {
      const field = document.getElementById(messageFieldId)
      const text = field instanceof HTMLTextAreaElement ? field.value : ''
      const waiting = readDraftFiles(drafts.get(filesDraft(id)))
      return { text, waiting, isEmpty: text === '' && waiting.files.length === 0 }
    }
    const count = async () => {
      if (path.length === 0 && !hasCounted.current && draftOf().isEmpty) return
      const [{ countTokens }, registry, context] = await Promise.all([
        loadPart(() => import('./count-tokens')),
        loadToolRegistry(),
        contextOf({ settings, project, id }),
      ])
      if (!wanted) return
      hasCounted.current = true
      const { text, waiting } = draftOf()
      const isGated = settings.tools.resultGate === 'always'
      const files = waiting.sentIn === null ? waiting.files.map((file) => asSent(file, isGated)) : []
      const ratio = ratioLearntIn(path, settings.model) ?? tokenMemory.of(settings.model)
      const windowTokens = model?.contextTokens ?? null
      const facts = {
        seesImages: model?.seesImages ?? false,
        windowTokens,
        ratio: ratio ?? 1,
        isLearnt: ratio !== null,
      }
      const next = countTokens(path, settings, registry.of(connectedOf(id, tools)), facts, {
        marks,
        context,
        draft: { text, files },
      })
      setCounted({ ...next, model: model ?? null, windowTokens, ratio })
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void count().catch(() => {}), QUIET_MS)
    }
    const leave = onFirstInteraction(soon)
    const form = place.current?.closest('form')
    const changes = ['input', 'change', 'click', 'drop', 'paste'] as const
    for (const name of changes) form?.addEventListener(name, soon, { passive: true })
    return () => {
      wanted = false
      leave()
      clearTimeout(timer)
      for (const name of changes) form?.removeEventListener(name, soon)
    }
  }, [path, id, settings, project, marks, tools, running, model, drafts, place])

  return counted
}

/** Learns from each counted reply how the model's tokens compare with the estimate; other chats use it too. */
function useLearning(path: readonly ChatRow[]): void {
  const last = lastReplyOf(path)
  useEffect(() => {
    const ratio = last ? ratioOfReply(last) : null
    if (last && ratio !== null) tokenMemory.learn(last.model, last.id, ratio)
  }, [last])
}

/** The line under the field: the size of the next request. */
export function nextRequestText(
  { tokens, leftOut }: Pick<NextRequest, 'tokens' | 'leftOut'>,
  windowTokens: number | null,
): string {
  const about = Math.round(tokens / 10) * 10
  return windowTokens === null
    ? t('context.line', { tokens: about })
    : t('context.line-of', { tokens: about, windowTokens, messages: leftOut })
}

/** A shorter time says nothing about a model's speed. */
const LEAST_MS = 200
const LEAST_TOKENS = 5

/** Tokens per second from the first token on, by the provider's count; null if unknown or too short. */
export function perSecond({ pace, usage }: Pick<AssistantMessage, 'pace' | 'usage'>): number | null {
  const written = usage?.outputTokens ?? 0
  const ms = pace ? pace.ms - pace.firstMs : 0
  if (ms < LEAST_MS || written < LEAST_TOKENS) return null
  const speed = (written * 1000) / ms
  return speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed)
}

/** The total cost of replies in the price's currency; null if one was not counted. */
export function costOf(replies: readonly Message[], { perMillionIn, perMillionOut }: TokenPrice): number | null {
  let sum = 0
  for (const reply of replies) {
    if (reply.role !== 'assistant' || reply.outcome === null) continue
    const { inputTokens, outputTokens } = reply.usage ?? {}
    if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return null
    sum += (inputTokens * perMillionIn + outputTokens * perMillionOut) / 1_000_000
  }
  return sum
}
