'use client'

import { useMemo, useState } from 'react'
import { t } from '@/lib/i18n/t'
import { CutText } from './data-table'
import { ForeignMarkup } from '../foreign/sealed-frame'
import { SentenceText } from '../text/foreign-text'
import { tableHead } from '../recipes/recipe'
import { SegmentedControl } from '../forms/segmented-control'
import { useCollected } from '../popups/menu'

/** HTML that a run displayed, as a page in a sealed frame or as source. */
export default function DisplayHtml({ label, html }: { label: string; html: string }) {
  const [view, setView] = useState<'page' | 'source'>('page')
  const markup = useMemo(() => ({ kind: 'html', text: html }) as const, [html])
  const isPage = view === 'page'
  const isCollected = useCollected(label, [
    { label: t(isPage ? 'view.source' : 'view.page'), run: () => setView(isPage ? 'source' : 'page') },
  ])
  return (
    <div>
      <div className={tableHead()}>
        <span className="text-sm text-muted">
          <SentenceText text={label} />
        </span>
        {isCollected ? null : (
          <SegmentedControl
            label={t('view.how', { label })}
            value={view}
            options={[
              { value: 'page', label: t('view.page') },
              { value: 'source', label: t('view.source') },
            ]}
            onChange={setView}
          />
        )}
      </div>
      {isPage ? (
        <ForeignMarkup label={label} markup={markup} height="content" />
      ) : (
        <CutText label={label} text={html} language="html" />
      )}
    </div>
  )
}
