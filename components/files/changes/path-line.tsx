import type { ReactNode } from 'react'

/** One path of a list, with what becomes of it at the end of the line. */
export const PathLine = ({ fate, children }: { readonly fate: string; readonly children: ReactNode }) => (
  <li className="flex justify-between gap-3 wrap-anywhere">
    {children}
    <span className="flex-none font-sans text-muted">{fate}</span>
  </li>
)
