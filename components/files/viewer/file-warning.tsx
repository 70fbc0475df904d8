import type { ReactNode } from 'react'

/** What has to be decided before the file can be saved. */
export const FileWarning = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid flex-none gap-2 border-b border-line bg-warn-soft p-3 text-sm" role="alert">
    {children}
  </div>
)
