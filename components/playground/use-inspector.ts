'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { defaultStrategy } from '@/lib/strategies/tool-context-def'
import type { StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'
import { toolRegistry } from '@/lib/tools/registry'
import { isSharedReading, packReading, unpackReading } from './share-link'
import { chosenTools, type ToolChoice } from './tool-choice'

export interface InspectorNote {
  readonly tone: 'said' | 'trouble'
  readonly text: string
}

export interface InspectorState {
  readonly strategy: StrategyId
  readonly choice: ToolChoice
  readonly text: string
  readonly tools: readonly ToolSpec[]
  readonly note: InspectorNote | null
  /** A text that was replaced or cleared, until something is typed. */
  readonly replaced: string | null
  readonly setStrategy: (id: string) => void
  readonly setChoice: (choice: ToolChoice) => void
  readonly type: (text: string) => void
  /** Puts another text in place of the present one, which can be brought back. */
  readonly replace: (text: string, strategy?: StrategyId) => void
  readonly bringBack: () => void
  /** Makes the page's address the link to this reading, and copies it. */
  readonly share: () => void
}

/** The reply under inspection and how it is read; `fragment` may bring one in. */
export function useInspector(fragment: string): InspectorState {
  const [strategy, setStrategyId] = useState<StrategyId>(defaultStrategy)
  const [choice, setChoice] = useState<ToolChoice>({})
  const [text, setText] = useState('')
  const [replaced, setReplaced] = useState<string | null>(null)
  const [note, setNote] = useState<InspectorNote | null>(null)
  const tools = useMemo(() => chosenTools(toolRegistry.specs(), choice), [choice])
  /** The link that is shown already, made here or loaded from there. */
  const known = useRef('')
  const typed = useRef('')
  useEffect(() => {
    typed.current = text
  }, [text])

  useEffect(() => {
    if (!isSharedReading(fragment) || fragment === known.current) return
    let wanted = true
    void (async () => {
      const shared = await unpackReading(fragment)
      if (!wanted) return
      known.current = fragment
      if (!shared.ok) {
        setNote({ tone: 'trouble', text: shared.error })
        return
      }
      const before = typed.current
      setReplaced(before === '' || before === shared.value.text ? null : before)
      setText(shared.value.text)
      setChoice(shared.value.choice)
      if (toolContextBuilder.isStrategyId(shared.value.strategy)) {
        setStrategyId(shared.value.strategy)
        setNote({ tone: 'said', text: 'This reply came with the link.' })
      } else {
        const name = shared.value.strategy.slice(0, 40)
        setNote({ tone: 'trouble', text: `The link asks for the strategy ${name}, which is not known here.` })
      }
    })()
    return () => {
      wanted = false
    }
  }, [fragment])

  const share = async () => {
    const packed = await packReading({ strategy, text, choice })
    if (!packed.ok) {
      setNote({ tone: 'trouble', text: packed.error })
      return
    }
    known.current = packed.value
    history.pushState(null, '', `#${packed.value}`)
    const copied = await copy(location.href)
    setNote({
      tone: 'said',
      text: copied
        ? 'The link is copied. The reply is in the link itself, and is sent to no server.'
        : 'The link is in the address bar, to be copied from there. The reply is in the link itself.',
    })
  }

  return {
    strategy,
    choice,
    text,
    tools,
    note,
    replaced,
    setStrategy: (id) => {
      if (toolContextBuilder.isStrategyId(id)) setStrategyId(id)
    },
    setChoice,
    type: (next) => {
      setText(next)
      setReplaced(null)
      setNote(null)
    },
    replace: (next, id) => {
      setReplaced(text === '' || text === next ? null : text)
      setText(next)
      setNote(null)
      if (id) setStrategyId(id)
    },
    bringBack: () => {
      if (replaced !== null) setText(replaced)
      setReplaced(null)
    },
    share: () => void share(),
  }
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
