'use client'

import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'

interface Editing {
  /** The user message that is being rewritten. */
  readonly messageId: string | null
  readonly edit: (messageId: string | null) => void
}

const EditingContext = createContext<Editing>({ messageId: null, edit: () => {} })

/** Which message is being edited: the composer (Up) and the message itself (its button) may both begin it. */
export function EditingProvider({ children }: { children: ReactNode }) {
  const [messageId, edit] = useState<string | null>(null)
  const value = useMemo(() => ({ messageId, edit }), [messageId])
  return <EditingContext value={value}>{children}</EditingContext>
}

export const useMessageEditing = (): Editing => useContext(EditingContext)
