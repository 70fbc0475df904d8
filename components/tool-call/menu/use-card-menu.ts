'use client'

import { useState, useMemo } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import type { MenuItem, MenuPage } from '@/components/ui/popups/menu'
import { folderOf, originOf, rememberable, alsoCovered } from '@/lib/shared/calls/approval-policy'
import { holdsMarks, onlyByClick, repeatsIn, isReadByGuess } from '@/lib/shared/calls/click-reasons'
import { folderText, hostWords, lifetimeText } from '@/lib/shared/calls/grant-text'
import { type MessageCall, waitingCalls } from '@/lib/shared/calls/message-calls'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { GrantScope } from '@/lib/shared/conversation/call-record'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { t } from '@/lib/i18n/t'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useCall, type CallScope, type CallEntry } from '../scope/call-scope'
import { notesOf } from '../words/origin-words'
import { useOrigins } from '../scope/use-origins'
import { useCallLink } from '../look/use-look'
import { isLoud } from '@/lib/shared/origin/branch-origin'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { amendmentsOf, replyCalls } from '@/lib/client/state/parsed-reply'
import { callKey, type ConversationState } from '@/lib/client/state/state'
import { copyText, useForAMoment } from '@/components/ui/controls/copy-button'

const none: readonly MessageCall[] = []

type Covered = (kind: GrantScope['kind']) => readonly MessageCall[]

/** The other waiting calls of the reply that each kind of approval would cover. */
function useAlsoCovered(messageId: string, slot: number, tool: ToolDefinition | undefined): Covered {
  const view = useConversation((shown) => shown)
  const tools = useTools()
  const marks = useOrigins(messageId)
  return useMemo(() => {
    const covered = coveredIn(view, tools, messageId, slot, tool)
    return (kind) => (marks === null ? none : covered(kind).filter((call) => !isLoud(marks.get(call.slot))))
  }, [view, tools, messageId, slot, tool, marks])
}

function coveredIn(
  view: ConversationState,
  tools: ToolSet,
  messageId: string,
  slot: number,
  tool: ToolDefinition | undefined,
): Covered {
  const { conversation, path, tree, calls, live } = view
  const message = tree.get(messageId)
  if (!tool || !conversation || !isHere(message) || message.role !== 'assistant') return () => none
  const config = conversation.settings.tools
  const callsOf = (reply: AssistantMessage) => replyCalls(reply, config, amendmentsOf(view, reply.id), tools)
  const all = callsOf(message)
  const target = all.find((call) => call.slot === slot)
  if (!target) return () => none
  const repeats = repeatsIn(path, callsOf, messageId)
  const recordOf = (one: number) => calls.get(callKey(messageId, one))
  const waiting = waitingCalls(all, recordOf, config.maxCallsPerReply).filter(
    (call) =>
      live.get(callKey(messageId, call.slot))?.problem !== null && !onlyByClick(call, repeats.get(call.slot) ?? 1),
  )
  return (kind) => alsoCovered(kind, tool, target, waiting)
}

/** The most calls that are named. */
const MAX_NAMED = 3

export interface Remember {
  /** What can be remembered; null for a call that must be asked every time. */
  readonly page: MenuPage | null
  /** Why the last choice could not be stored, as a sentence. */
  readonly problem: string | null
}

/**
 * Runs this call and remembers the approval for later replies of this chat. Other waiting calls run only by a separate
 * choice, which names them.
 */
export function useRemember(): Remember {
  const { messageId, entry, tool, decide } = useCall()
  const { slot, call } = entry
  const [problem, setProblem] = useState<string | null>(null)
  const also = useAlsoCovered(messageId, slot, tool)
  const config = useConversation((view) => view.conversation?.settings.tools)
  const tools = useTools()
  const isChecked = entry.origin !== undefined && !isLoud(entry.origin)
  const isPlain = !isReadByGuess(call) && !holdsMarks(call) && isChecked
  const isOpen = config?.requireConfirmation === false && isPlain
  const kinds = tool && isOpen ? rememberable(tool, call) : []
  if (!tool || kinds.length === 0) return { page: null, problem }
  const remember = (kind: GrantScope['kind'], others: readonly MessageCall[]) => () =>
    void decide
      .remember(
        kind,
        others.map((one) => one.slot),
      )
      .then(setProblem)
  const itemsFor = (kind: GrantScope['kind']): readonly MenuItem[] => {
    const what = whatWords(kind, tool, call)
    const others = also(kind)
    const count = others.length
    if (count === 0) return [{ label: what, run: remember(kind, []) }]
    const names = others.slice(0, MAX_NAMED).map((one) => nameOf(one.call, tools))
    return [
      { label: t('card.remember-waits-on', { what, count }), run: remember(kind, []) },
      {
        label: t('card.remember-and-run', { what, count, names, more: count - names.length }),
        run: remember(kind, others),
      },
    ]
  }
  const span = config?.grantLifetimeMs ?? null
  return {
    page: {
      label: t('card.remember'),
      lead: span === null ? t('card.remember-lead') : t('card.remember-lead-for', { span: lifetimeText(span) }),
      items: kinds.flatMap(itemsFor),
    },
    problem,
  }
}

function whatWords(kind: GrantScope['kind'], tool: ToolDefinition, call: CallToWrite): string {
  switch (kind) {
    case 'arguments':
      return t('card.remember-call')
    case 'folder':
      return t('card.remember-folder', { tool: tool.spec.name, folder: folderText(folderOf(tool, call) ?? '/') })
    case 'tool':
      return t('card.remember-tool', { tool: tool.spec.name })
    case 'host':
      return t('card.remember-host', { host: hostWords(originOf(tool, call) ?? '') })
  }
}

function nameOf({ name, arguments: args }: CallToWrite, tools: ToolSet): string {
  const [path = ''] = tools.get(name)?.policy.paths?.(args) ?? []
  return path === '' ? name : `${name} ${path}`
}

/** Other views that a waiting card can show; null if there is none, or it is shown already. */
export interface CardMenuFacts {
  readonly remember: Remember
  /** The card's content, for the clipboard. */
  readonly text: () => string
  /** Switches between the whole card and its line. */
  readonly details: (() => void) | null
  readonly less: (() => void) | null
  readonly raw: { readonly shown: boolean; readonly toggle: () => void } | null
  readonly all: (() => void) | null
  readonly unchanged: (() => void) | null
  readonly parts: (() => void) | null
  /** Set if Edit has no button of its own. */
  readonly edit: (() => void) | null
  readonly undoChange: (() => void) | null
}

/** The menu of a waiting card, and the message after an action. */
export function useCardMenu(facts: CardMenuFacts): {
  readonly items: readonly MenuItem[]
  readonly menuNotice: string
} {
  const { entry, setPanel, refs } = useCall()
  const [menuNotice, say] = useForAMoment('')
  const look = useCallLink()
  const copy = () => {
    copyText(facts.text()).then(
      () => say(t('card.copied')),
      () => say(t('card.not-copied')),
    )
  }
  const item = (label: string, run: (() => void) | null, keys?: string): readonly MenuItem[] =>
    run ? [{ label, run, ...(keys === undefined ? {} : { keys }) }] : []
  const { page } = facts.remember
  return {
    menuNotice: menuNotice || look.problem,
    items: [
      ...(page ? [{ label: t('card.remember'), opens: page }] : []),
      ...item(t('card.deny-with-reason'), () => setPanel('reason'), 'R'),
      ...item(t('card.edit'), facts.edit, 'E'),
      ...item(t(isOnlyPromoted(entry) ? 'card.undo-lift' : 'card.undo-change'), facts.undoChange),
      ...valueItems(entry, refs.card),
      ...item(t('card.in-parts'), facts.parts),
      ...item(t('card.details'), facts.details),
      ...item(t('card.show-all'), facts.all),
      ...item(t('card.show-unchanged'), facts.unchanged),
      ...item(t(facts.raw?.shown ? 'card.hide-raw' : 'card.show-raw'), facts.raw?.toggle ?? null),
      ...item(look.label, look.make),
      ...item(t('card.copy'), copy),
      ...item(t('card.one-line'), facts.less),
    ],
  }
}

const MAX_VALUES = 12

/** Values with a known source, each with its sentence; choosing one focuses it. */
function valueItems({ origin, call }: CallEntry, card: CallScope['refs']['card']): readonly MenuItem[] {
  const written = JSON.stringify(call.arguments)
  const items = (origin ? notesOf(origin) : []).slice(0, MAX_VALUES).map(({ value, origin: from }): MenuItem => {
    const at = written.toLowerCase().indexOf(value)
    const text = at < 0 ? value : written.slice(at, at + value.length)
    const focus = () =>
      [...(card.current?.querySelectorAll<HTMLElement>('[data-noted]') ?? [])]
        .find(({ dataset }) => dataset['noted'] === value)
        ?.focus()
    return { label: t('card-origin.value', { value: asUntrusted(text), from }), run: focus }
  })
  return items.length === 0
    ? []
    : [{ label: t('card-origin.values'), opens: { label: t('card-origin.values'), items } }]
}

const isOnlyPromoted = ({ promoted, changed, changeLost }: CallEntry): boolean =>
  promoted && !changed && changeLost !== true
