'use client'

import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/icon'
import { useHiddenParts } from '@/components/ui/out-of-view'
import { t } from '@/lib/i18n/t'
import { cardStatus } from '../scope/card-status'
import { useCall } from '../scope/call-scope'
import { SentenceParts } from '../sentence'
import { CardTrouble, Evidence } from '../styles/card-parts'
import { useIconOf } from '../words/use-tool-words'
import { DenyButton, MoreMenu, RunButton } from './decide-buttons'
import { useCardMenu } from '../menu/use-card-menu'
import { useEvidenceInView } from './use-evidence-in-view'
import { useRemember } from '../menu/use-remember'

/** A harmless call in one line: what it would do, and the decision. The sentence opens the whole card. */
export function WaitingLine({ lead, onOpen }: { lead: ReactNode; onOpen: () => void }) {
  const { entry, summary, raw, refs, setPanel } = useCall()
  const { call } = entry
  const icon = useIconOf(call.name)
  const { evidence } = useEvidenceInView(useHiddenParts(), refs.look)
  const remember = useRemember()
  const { items, said } = useCardMenu({
    remember,
    text: () => raw,
    details: onOpen,
    less: null,
    raw: null,
    all: null,
    unchanged: null,
    parts: null,
    edit: () => setPanel('edit'),
    undoChange: null,
  })
  const { glyph, word } = cardStatus.awaiting_approval
  return (
    <Evidence ref={evidence}>
      <div className="flex min-h-12 items-center gap-2 px-3.5 py-1.5 narrow:flex-wrap narrow:px-3">
        {lead}
        <Icon name={icon} className="text-muted" />
        <button
          type="button"
          aria-expanded={false}
          className="min-h-[1.5rem] min-w-0 flex-1 text-start text-md text-pretty wrap-anywhere hover:underline hover:decoration-line-strong hover:underline-offset-3 pointer-coarse:min-h-touch narrow:basis-[calc(100%-3rem)]"
          onClick={onOpen}
        >
          <SentenceParts parts={summary?.sentence ?? []} />
        </button>
        <span className="inline-flex flex-none items-center text-accent-text [&>svg]:size-3.5">
          <Icon name={glyph} />
          <span className="sr-only">{word}</span>
        </span>
        <span className="inline-flex flex-none items-center gap-2 narrow:basis-full narrow:[&>button:not([aria-haspopup])]:h-touch narrow:[&>button:not([aria-haspopup])]:flex-1">
          <RunButton tight />
          <DenyButton tight />
          <span className="sr-only" role="status">
            {said}
          </span>
          <MoreMenu label={t('card.more')} items={items} />
        </span>
      </div>
      {remember.problem ? <CardTrouble last text={remember.problem} /> : null}
    </Evidence>
  )
}
