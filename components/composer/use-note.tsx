'use client'

import { wallClock } from '@/lib/base/clocks'
import { useEffect, useState } from 'react'
import { useChat, useClientStore, useConversation } from '@/components/context/chat-context'
import { loadToolRegistry } from '@/components/context/use-waiting'
import { formatDay } from '@/lib/base/text/locale'
import { watchReader } from '@/lib/base/text/languages'
import { connectedOf } from '@/lib/client/wiring/tools/chat-tools.browser'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import type { NodApi } from '@/lib/client/api/nod-api'
import { viewOf } from '@/lib/client/state/open-conversations'
import type { ShownUse } from '@/lib/client/state/state'
import type { UseView } from '@/lib/shared/conversation/wire/api-types'
import { fitsModel } from '@/lib/base/model-id'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { composerHint } from './composer-styles'

const DAY_MS = 86_400_000
/** A chat that is deleted within this time shows a warning. */
const SOON_MS = 7 * DAY_MS

/** Above the field: warns that a message would exceed today's tokens, or that the chat will be deleted soon. */
export default function UseNote({ api = nodApi, now = wallClock }: { api?: Pick<NodApi, 'use'>; now?: () => number }) {
  useAskedUse(api)
  const use = useChat((state) => state.use)
  const refused = useRefused(use)
  const touchedAt = useConversation((view) => (view.phase === 'ready' ? (view.conversation?.updatedAt ?? null) : null))
  const [openedAt] = useState(now)
  const days = use?.retentionDays ?? null
  const goesAt = days === null || touchedAt === null ? null : touchedAt + days * DAY_MS
  return (
    <>
      {goesAt !== null && days !== null && goesAt - openedAt < SOON_MS ? (
        <p className={composerHint()}>{t('use.kept-until', { day: formatDay(goesAt), days })}</p>
      ) : null}
      {refused === null ? null : (
        <p className={composerHint()} role="status">
          {t('use.would-refuse', { ...refused.least, needs: refused.needs })}
        </p>
      )}
    </>
  )
}

/** Asks once, and after each reply if replies count against a limit. */
function useAskedUse(api: Pick<NodApi, 'use'>): void {
  const { dispatch, getState } = useClientStore()
  const isWriting = useConversation((view) => view.run !== null || view.sending)
  useEffect(() => {
    if (isWriting || getState().use?.budgets.length === 0) return
    let wanted = true
    const ask = async () => {
      const answer = await api.use()
      if (!wanted || !answer.ok) return
      dispatch({ type: 'use-loaded', use: { ...answer.value, lines: linesOf(answer.value) } })
    }
    void ask()
    return () => {
      wanted = false
    }
  }, [api, dispatch, getState, isWriting])
  // The store holds translated text, so a language change writes it again.
  useEffect(
    () =>
      watchReader(() => {
        const { use } = getState()
        if (use) dispatch({ type: 'use-loaded', use: { ...use, lines: linesOf(use) } })
      }),
    [dispatch, getState],
  )
}

const linesOf = ({ budgets }: UseView): readonly string[] => budgets.map((budget) => t('use.budget', budget))

interface Refused {
  /** The limit with the least left. */
  readonly least: UseView['budgets'][number]
  readonly needs: number
}

/** Null while a message would be accepted, as far as is known. */
function useRefused(use: ShownUse | null): Refused | null {
  const path = useConversation((view) => view.path)
  const conversation = useConversation((view) => view.conversation)
  const tools = useConversation((view) => view.tools)
  const model = useChat((state) =>
    state.models?.models.find((one) => one.id === viewOf(state).conversation?.settings.model),
  )
  const [refused, setRefused] = useState<Refused | null>(null)
  useEffect(() => {
    let wanted = true
    const look = async () => {
      const id = conversation?.settings.model ?? ''
      const pots = use?.budgets.filter(({ models }) => fitsModel(models, id)) ?? []
      const [least] = pots.toSorted((a, b) => a.left - b.left)
      if (!least || !conversation) return null
      const { seesImages = false, contextTokens: windowTokens = null } = model ?? {}
      const { countTokens } = await loadPart(() => import('@/components/context-window/count-tokens'))
      const registry = await loadToolRegistry()
      const { claim } = countTokens(path, conversation.settings, registry.of(connectedOf(conversation.id, tools)), {
        seesImages,
        windowTokens,
      })
      return claim <= least.left ? null : { least, needs: claim }
    }
    look().then(
      (found) => wanted && setRefused(found),
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [use, path, conversation, tools, model])
  return refused
}
