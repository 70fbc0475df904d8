'use client'

import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'

interface Editing {
  /** The user message that is being edited. */
  readonly messageId: string | null
  readonly edit: (messageId: string | null) => void
}

const EditingContext = createContext<Editing>({ messageId: null, edit: () => {} })

/** Holds which message is being edited. Both the composer (Up key) and the message's own button can start an edit. */
export function EditingProvider({ children }: { children: ReactNode }) {
  const [messageId, edit] = useState<string | null>(null)
  const value = useMemo(() => ({ messageId, edit }), [messageId])
  return <EditingContext value={value}>{children}</EditingContext>
}

export const useMessageEditing = (): Editing => useContext(EditingContext)
