'use client'

import { useEffect, useState } from 'react'
import type { ModelInfo } from '@/lib/shared/models/model'
import { labPorts } from '@/lib/client/wiring/models/lab.browser'

export interface KnownModels {
  readonly models: readonly ModelInfo[]
  readonly first: string
  /** Why there are none, or fewer than there might be. */
  readonly problems: readonly string[]
}

/** The models of the server and of this browser; null until it answered. */
export function useModels(): KnownModels | null {
  const [known, setKnown] = useState<KnownModels | null>(null)
  useEffect(() => {
    let wanted = true
    void (async () => {
      const [answer, own] = await Promise.all([labPorts.models(), labPorts.ownModels()])
      if (!wanted) return
      if (answer.ok) {
        const { models, defaultModel, problems } = answer.value
        setKnown({ models: [...models, ...own], first: defaultModel, problems })
      } else setKnown({ models: own, first: '', problems: [answer.error.message] })
    })()
    return () => {
      wanted = false
    }
  }, [])
  return known
}
