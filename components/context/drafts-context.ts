'use client'

import { createContext, useContext } from 'react'
import type { Drafts } from '@/lib/client/outbox/drafts'

const DraftsContext = createContext<Drafts | null>(null)

export const DraftsProvider = DraftsContext
/** What was typed and not sent; null where nothing is kept, as in the playground. */
export const useDrafts = (): Drafts | null => useContext(DraftsContext)
