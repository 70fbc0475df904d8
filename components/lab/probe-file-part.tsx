'use client'

import { useRef } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import { labNote } from './lab-styles'
import type { ProbeFileState } from './use-probe-file'

const SHOWN = 8

/** Probes of a file instead of ours, and what of it could not be used. */
export function ProbeFilePart({ state }: { state: ProbeFileState }) {
  const input = useRef<HTMLInputElement>(null)
  const { file, probes, problems, problemCount, isReading } = state
  const more = problemCount - Math.min(problems.length, SHOWN)
  return (
    <div className="flex min-w-56 flex-1 flex-col gap-1">
      <span className="font-medium">{t('lab-page.own-probes')}</span>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={isReading} onClick={() => input.current?.click()}>
          {t(isReading ? 'lab-page.file-reading' : 'lab-page.file-import')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept=".json,.jsonl,.ndjson,application/json"
          aria-label={t('lab-page.file-label')}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            event.target.value = ''
            if (files.length > 0) void state.read(files)
          }}
        />
        {file === null ? (
          <span className={labNote}>{t('lab-page.file-about')}</span>
        ) : (
          <span className={labNote}>
            <ForeignText text={file.name} /> ·{' '}
            <TextButton onClick={state.forget}>{t('lab-page.file-forget')}</TextButton>
          </span>
        )}
      </div>
      {file !== null || problems.length > 0 ? (
        <div className={labNote} role="status">
          {file === null ? null : t('lab.imported', { count: probes.length, left: problemCount })}
          {problems.length === 0 ? null : (
            <ul className="mt-1 list-disc ps-5">
              {problems.slice(0, SHOWN).map((problem) => (
                <li key={problem}>
                  <SentenceText text={problem} />
                </li>
              ))}
              {more > 0 ? <li>{t('lab-page.file-more', { count: more })}</li> : null}
            </ul>
          )}
        </div>
      ) : null}
    </div>
  )
}
