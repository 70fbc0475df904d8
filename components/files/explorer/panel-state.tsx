import type { ReactNode } from 'react'

/** What is said where the files will be, or would have been. */
export const PanelState = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid justify-items-start gap-3 p-4 text-sm">{children}</div>
)
