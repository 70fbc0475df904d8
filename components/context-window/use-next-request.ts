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
import { connectedOf } from '@/lib/client/wiring/register-tool.browser'
import { mayHaveSkills } from '@/lib/client/wiring/noted.browser'
import { tokenMemory } from '@/lib/client/wiring/unsent.browser'
import type { NextRequest } from './count-tokens'
import { t } from '@/lib/i18n/t'

/** Counting waits until no one has typed for so long: no key is slower for it. */
const QUIET_MS = 400

/** What is known of the next request, and of what it is counted with. */
export interface CountedRequest extends NextRequest {
  readonly model: Pick<ModelInfo, 'id' | 'label' | 'price' | 'simulated'> | null
  readonly windowTokens: number | null
  /** What the model counts for an estimated token; null: it never said. */
  readonly ratio: number | null
}

/** The model of the shown chat, as far as it is listed. */
export const useShownModel = (): ModelInfo | undefined =>
  useChat((state) => state.models?.models.find((one) => one.id === viewOf(state).conversation?.settings.model))

/** What the prompt has beside the settings, which only chats of projects and those with a memory or skills have. */
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

/** The newest reply of a branch that ended. */
export function lastReplyOf(path: readonly ChatRow[]): AssistantMessage | undefined {
  const last = path.findLast((row) => row.role === 'assistant')
  return last && isHere(last) && last.role === 'assistant' && last.outcome !== null ? last : undefined
}

/**
 * Counts the next request of the shown chat, whatever of it changes: messages, settings, and what is in the form around
 * `place`. Null until it is counted; an estimate is a comfort, so that one which can't be had is missing without a word.
 * A new chat is counted from the first word on: what counts reads replies, too, and loads while the message is being written.
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

/** Each reply whose provider counted teaches how to read the estimate of the next ones, in other chats too. */
function useLearning(path: readonly ChatRow[]): void {
  const last = lastReplyOf(path)
  useEffect(() => {
    const ratio = last ? ratioOfReply(last) : null
    if (last && ratio !== null) tokenMemory.learn(last.model, last.id, ratio)
  }, [last])
}

/** The line under the field: how much the next request is. */
export function nextRequestWords(
  { tokens, leftOut }: Pick<NextRequest, 'tokens' | 'leftOut'>,
  windowTokens: number | null,
): string {
  const about = Math.round(tokens / 10) * 10
  return windowTokens === null
    ? t('context.line', { tokens: about })
    : t('context.line-of', { tokens: about, windowTokens, messages: leftOut })
}

/** Less than this says nothing of how fast a model writes. */
const LEAST_MS = 200
const LEAST_TOKENS = 5

/** Tokens a second from the first word on, by the provider's own count; null: no one knows, or it was too short to say. */
export function perSecond({ pace, usage }: Pick<AssistantMessage, 'pace' | 'usage'>): number | null {
  const written = usage?.outputTokens ?? 0
  const ms = pace ? pace.ms - pace.firstMs : 0
  if (ms < LEAST_MS || written < LEAST_TOKENS) return null
  const speed = (written * 1000) / ms
  return speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed)
}

/** What replies cost together, in the currency of the price; null: one of them did not say what it took. */
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
