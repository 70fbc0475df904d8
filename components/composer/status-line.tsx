'use client'

import { numberWords } from '@/lib/base/locale'
import { cx } from '@/components/ui/recipes/recipe'
import { below, lamp as lampLook } from './composer-look'
import { loadPart } from '@/lib/base/load-part'
import { useEffect, useState } from 'react'
import { useChat, useConversation } from '@/components/context/chat-context'
import { whenSomebodyIsHere } from '@/components/context/somebody-here'
import { loadToolRegistry } from '@/components/context/load-tools'
import { TextButton } from '@/components/ui/text-button'
import type { ToolCallConfig } from '@/lib/conversation/conversation'
import { modelStatus } from '@/components/context/model-status'
import { viewOf } from '@/lib/client/open-conversations'

export function StatusLine({ onOpenSettings }: { onOpenSettings: () => void }) {
  const words = useChat((state) => modelStatus(state).words)
  const lamp = useChat((state) => modelStatus(state).lamp)
  const approval = useConversation((view) => approvalWords(view.conversation?.settings.tools))
  return (
    <>
      <span className="inline-flex min-w-0 items-center gap-1.5 px-2 narrow:flex-[1_1_calc(100%-9rem)] short:hidden">
        <span className={lampLook({ state: lamp })} />
        <span className="truncate">{words}</span>
      </span>
      <TextButton className={below} onClick={onOpenSettings}>
        {approval}
      </TextButton>
      <TokenCount />
    </>
  )
}

function approvalWords(config: ToolCallConfig | undefined): string {
  if (!config) return 'asks before every call'
  if (!config.enabled) return 'tools are off'
  const picked = Object.values(config.toolRules).some(({ execution = 'always' }) => execution !== 'always')
  return config.mode === 'auto' && picked ? 'picked tools run alone' : 'asks before every call'
}

/** How much the next request costs, counted when the browser has nothing else to do. */
function TokenCount() {
  const path = useConversation((view) => view.path)
  const conversation = useConversation((view) => view.conversation)
  const tools = useConversation((view) => view.tools)
  const running = useConversation((view) => view.run !== null)
  const model = useChat((state) =>
    state.models?.models.find((one) => one.id === viewOf(state).conversation?.settings.model),
  )
  const seesImages = model?.seesImages ?? false
  const [tokens, setTokens] = useState<number | null>(null)

  useEffect(() => {
    if (!conversation || running) return
    let wanted = true
    const count = async () => {
      const { countTokens } = await loadPart(() => import('./count-tokens'))
      const registry = await loadToolRegistry()
      if (wanted) setTokens(countTokens(path, conversation.settings, registry.of(tools), { seesImages }))
    }
    // An estimate is a comfort: without its chunk the line is shorter, and so it is while nobody is there to read it.
    let idle: ReturnType<typeof setTimeout> | undefined
    const leave = whenSomebodyIsHere(() => {
      idle = setTimeout(() => void count().catch(() => {}), 400)
    })
    return () => {
      wanted = false
      leave()
      clearTimeout(idle)
    }
  }, [path, conversation, tools, running, seesImages])

  if (tokens === null) return <span className={cost} />
  const limit = model?.contextTokens
  return (
    <span className={cost}>
      about {rounded(tokens)} {limit ? `of ${numberWords(limit)} tokens` : 'tokens'}
    </span>
  )
}

const cost = cx('ms-auto pe-2 tabular-nums short:hidden', below)

const rounded = (tokens: number): string => numberWords(Math.round(tokens / 10) * 10)
