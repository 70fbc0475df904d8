'use client'

import { useEffect, useMemo, useReducer, useRef } from 'react'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { InspectorState } from './inspector'
import { useBuiltInTools } from '@/components/context/tools-context'
import { makeRefusal } from '@/lib/i18n/t'
import { firstReading, reduceReading, type ReadingState } from './reading-state'
import { isSharedReading, packReading, unpackReading } from './share-link'
import { chosenTools, type ToolChoice } from './tool-choice'

export interface PlaygroundState extends ReadingState, InspectorState {
  readonly setStrategy: (id: string) => void
  readonly setChoice: (choice: ToolChoice) => void
  readonly share: () => void
}

/** The reply under inspection and how it is read; `fragment` may bring one in. */
export function useInspector(fragment: string): PlaygroundState {
  const [state, on] = useReducer(reduceReading, firstReading)
  const { strategy, choice, text } = state
  const found = useBuiltInTools()
  const tools = useMemo(() => chosenTools(found, choice), [found, choice])
  /** The link that is shown already, made here or loaded from there. */
  const known = useRef('')
  useEffect(() => {
    if (!isSharedReading(fragment) || fragment === known.current) return
    let wanted = true
    void (async () => {
      const shared = await unpackReading(fragment)
      if (!wanted) return
      known.current = fragment
      if (shared.ok) on({ type: 'link-opened', shared: shared.value })
      else on({ type: 'noted', note: { tone: 'trouble', said: shared.error } })
    })()
    return () => {
      wanted = false
    }
  }, [fragment])

  const share = async () => {
    const packed = await packReading({ strategy, text, choice })
    if (!packed.ok) {
      on({ type: 'noted', note: { tone: 'trouble', said: packed.error } })
      return
    }
    known.current = packed.value
    history.pushState(null, '', `#${packed.value}`)
    const copied = await copy(location.href)
    const said = makeRefusal(copied ? 'inspector.link-copied' : 'inspector.link-shown')
    on({ type: 'noted', note: { tone: 'said', said } })
  }

  return {
    ...state,
    tools,
    setStrategy: (id) => {
      if (toolContextBuilder.isStrategyId(id)) on({ type: 'strategy-chosen', strategy: id })
    },
    setChoice: (next) => on({ type: 'tools-chosen', choice: next }),
    type: (next) => on({ type: 'text-typed', text: next }),
    replace: (next, id) => on({ type: 'text-replaced', text: next, strategy: id }),
    bringBack: () => on({ type: 'text-brought-back' }),
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
