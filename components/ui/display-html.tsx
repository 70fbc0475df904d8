'use client'

import { SaidText } from './foreign-text'
import { useState } from 'react'
import { CodeBlock } from './code-block'
import { HtmlFrame } from './html-frame'
import { SegmentedControl } from './segmented-control'

/** HTML that a run displayed, as a page in a sealed frame or as its source. */
export default function DisplayHtml({ label, html }: { label: string; html: string }) {
  const [view, setView] = useState<'page' | 'source'>('page')
  return (
    <div className="table-view">
      <div className="table-head">
        <span className="muted small">
          <SaidText text={label} />
        </span>
        <SegmentedControl
          label={`${label}, view`}
          value={view}
          options={[
            { value: 'page', label: 'Page' },
            { value: 'source', label: 'Source' },
          ]}
          onChange={setView}
        />
      </div>
      {view === 'page' ? (
        <HtmlFrame label={label} html={html} />
      ) : (
        <CodeBlock label={label} text={html} language="html" numbered={false} />
      )}
    </div>
  )
}
