'use client'

import { ForeignName } from '@/components/ui/foreign-text'
import { useMemo } from 'react'
import { ForeignMarkup } from '@/components/ui/foreign/foreign-markup'
import type { Vfs } from '@/lib/vfs/vfs'
import type { PageNeeds } from '@/lib/workspace/page/page-files'
import { FileSay } from './file-say'
import { useWholePage } from './use-whole-page'

export interface PageViewProps {
  readonly vfs: Vfs
  readonly path: string
  /** As it stands in the editor, saved or not. */
  readonly text: string
}

/** A page of the workspace as it stands: with its styles and pictures, without its scripts. */
export default function PageView({ vfs, path, text }: PageViewProps) {
  const page = useWholePage(vfs, path, text)
  const markup = useMemo(() => ({ kind: 'html', text: page?.html ?? '' }) as const, [page])
  if (page === null) return null
  return (
    <>
      <FileSay tone="quiet">
        {page.hasScripts
          ? 'Shown without its scripts and without network.'
          : 'Shown without network. It has no scripts.'}
      </FileSay>
      <Needs {...page} />
      <ForeignMarkup label={`Page: ${path}`} markup={markup} height="fill" />
    </>
  )
}

/** What the page names and does not get: else it would look broken for no reason. */
function Needs({ missing, remote }: PageNeeds) {
  if (missing.length + remote.length === 0) return null
  return (
    <FileSay tone="quiet">
      {missing.length > 0 ? <>Not in this workspace: {codes(missing)}. </> : null}
      {remote.length > 0 ? <>On the network, so left out: {codes(remote)}.</> : null}
    </FileSay>
  )
}

const shown = 3

function codes(names: readonly string[]) {
  const rest = names.length - shown
  return (
    <>
      {names.slice(0, shown).map((name, index) => (
        <span key={name}>
          {index > 0 ? ', ' : ''}
          <ForeignName text={name.length > 80 ? `${name.slice(0, 79)}…` : name} />
        </span>
      ))}
      {rest > 0 ? ` and ${rest} more` : ''}
    </>
  )
}
