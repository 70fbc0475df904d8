import type { ReactNode } from 'react'

/** What is said where foreign content would be. */
export const ForeignSentence = ({ role, children }: { readonly role?: 'status'; readonly children: ReactNode }) => (
  <p className="px-3.5 py-3 text-sm text-muted" role={role}>
    {children}
  </p>
)
